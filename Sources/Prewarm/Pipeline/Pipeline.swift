package import Fetching
package import GearboxURL
package import Manifests
package import Rendering
internal import Transfer

/// A pipeline as it will run: read, checked, every default filled in, every path absolute.
///
/// Prewarm owns a night: the pipeline's definition, the state that outlives a run, the stages and the
/// runner. Pictures, transfers, files and the index are other libraries' matter.
package struct Pipeline: Sendable {
    /// A list of requested URLs.
    package struct Manifest: Sendable, Hashable {
        /// Absolute, or `-` for standard input.
        package var path: String
        package var shape: ManifestShape

        /// - Parameters:
        ///   - path: of the file.
        ///   - shape: how it is written; what its name tells if not given.
        package init(path: String, shape: ManifestShape? = nil) {
            self.path = path
            self.shape = shape ?? ManifestShape(ManifestFormat(fileName: path))
        }
    }

    /// What belongs to an origin beside the rules of its URLs.
    package struct Origin: Sendable, Hashable {
        /// Who makes the variants of its sources.
        package enum Rendering: Sendable, Hashable {
            /// We do, from the originals.
            case local
            /// The origin does: each variant is fetched from its own canonical URL. To probe is to
            /// read the original's header too, which tells the source's size.
            case remote(probes: Bool)
        }

        package var name: String
        package var rendering: Rendering
        /// Where its originals come from; the first that has one wins.
        package var sources: [DataSource]
        /// Request headers.
        package var headers: [String: String]
    }

    /// Which of a kind are made: what the URLs ask for, or a list.
    package enum Selection<Element: Sendable & Hashable>: Sendable, Hashable {
        case requested
        case list([Element])
    }

    package enum SizeSelection: Sendable, Hashable {
        case requested
        /// Every gear as a square.
        case ladder
        /// Squares of these sides, in pixels.
        case list([Int])
    }

    /// Which variants of a source are made.
    package struct Variants: Sendable, Hashable {
        package var modes: Selection<Mode>
        package var sizes: SizeSelection
        package var qualities: Selection<Int>
        package var formats: Selection<OutputFormat>

        package init(
            modes: Selection<Mode>,
            sizes: SizeSelection,
            qualities: Selection<Int>,
            formats: Selection<OutputFormat>
        ) {
            self.modes = modes
            self.sizes = sizes
            self.qualities = qualities
            self.formats = formats
        }
    }

    /// What becomes of the originals when a run has rendered them.
    package struct Originals: Sendable, Hashable {
        static let standardBytes = 10 * 1_024 * 1_024 * 1_024

        package var areKept: Bool
        /// How many bytes of them are kept; `nil`: all.
        package var maxBytes: Int?
    }

    package var name: String
    /// The pipeline file, absolute.
    package var file: String
    package var manifests: [Manifest]
    /// The cache directory, absolute.
    package var cache: String
    package var rules: CanonicalRules
    package var origins: [Origin]
    package var variants: Variants
    /// How they are made, and what an original may cost.
    package var rendering: RenderSettings
    /// How originals are fetched.
    package var fetching: FetchConfiguration
    package var aliases: Bool
    package var originals: Originals
    /// How much the store may hold.
    package var budget: EvictionBudget
    /// After so many seconds of a run no new source is taken up.
    package var deadlineSeconds: Int?
    /// `nil`: one for each core.
    package var workers: Int?

    /// The same pipeline with no more transfers than the process may have files open.
    ///
    /// A transfer has its file and its connection, and libcurl keeps up to four idle connections for
    /// each; some files are the process's own.
    func within(openFiles: Int) -> Pipeline {
        var pipeline = self
        let transfers = max(1, (openFiles - 40) / 6)
        pipeline.fetching.transfer.transfers = min(fetching.transfer.transfers, transfers)
        return pipeline
    }
}
