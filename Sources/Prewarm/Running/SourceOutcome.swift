internal import GearboxURL
internal import Rendering
internal import Store

/// What became of one source: everything that the state shall know of it.
struct SourceOutcome: Sendable {
    struct Rendering: Sendable {
        var version: String
        /// Names all that was rendered at once; `nil` where it was not all that is wanted.
        var set: String?
        var format: String
        var bytes: Int
        var size: Size
        var animated: Bool
        var alpha: Bool
        var made: [MadeVariant] = []
        var failed: [FailedVariant] = []

        /// A rendering without variants.
        init(
            version: String,
            set: String,
            format: String,
            bytes: Int,
            size: Size,
            animated: Bool,
            alpha: Bool
        ) {
            self.version = version
            self.set = set
            self.format = format
            self.bytes = bytes
            self.size = size
            self.animated = animated
            self.alpha = alpha
        }

        /// `rows` are the variants that were to be made: by their keys the results are told apart.
        init(
            _ rendered: RenderedSource,
            version: String,
            set: String?,
            settings: RenderSettings,
            rows: [VariantRow]
        ) {
            let known = Dictionary(rows.map { ($0.key, $0) }) { first, _ in first }
            self.version = version
            format = rendered.facts.format.fileExtension
            bytes = rendered.facts.bytes
            size = rendered.facts.size
            animated = rendered.facts.frames > 1
            alpha = rendered.facts.hasAlpha
            made = rendered.variants.compactMap { variant in
                known[variant.key].map { row in
                    MadeVariant(
                        id: row.id,
                        format: variant.format.fileExtension,
                        work: RenderFingerprint.name(
                            settings,
                            format: variant.format.fileExtension,
                            isAnimated: rendered.facts.frames > 1,
                            hasAlpha: rendered.facts.hasAlpha,
                            isOriginal: row.directives == nil
                        ),
                        size: variant.size,
                        animated: variant.isAnimated,
                        fullSize: variant.isFullSize,
                        bytes: variant.bytes,
                        file: variant.file
                    )
                }
            }
            self.set = rendered.failures.isEmpty ? set : nil
            failed = rendered.failures.compactMap { failure in
                known[failure.key].map { row in
                    FailedVariant(
                        id: row.id,
                        code: failure.error.code.rawValue,
                        message: failure.error.message
                    )
                }
            }
        }
    }

    struct FailedVariant: Sendable {
        var id: Int
        var code: String
        var message: String
    }

    var source: Int
    /// The original where it is new, or where its validators are.
    var original: SourceRow.Original?
    /// `nil`: as it was.
    var isStale: Bool?
    var rendering: Rendering?
    var failure: SourceFailure?

    /// Whether the bytes came in this run.
    var isFetched = false
    /// The run that has asked last.
    var asked: Int
    /// Whether the run ended before what is due was rendered.
    var isOwed = false

    init(of source: SourceRow) {
        self.source = source.id
        asked = source.asked
    }
}
