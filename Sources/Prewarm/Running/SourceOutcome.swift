internal import GearboxURL

/// What became of one source: everything that the state shall know of it.
struct SourceOutcome: Sendable {
    struct Rendering: Sendable {
        var version: String
        var work: String
        var format: String
        var bytes: Int
        var size: Size
        var animated: Bool
        var alpha: Bool
        var made: [MadeVariant]
        var failed: [FailedVariant]
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

    init(source: Int) { self.source = source }
}
