package import GearboxURL
package import Rendering
package import Store

/// What a run would do for one URL, and why, without doing any of it.
package struct SourcePlan: Sendable, Hashable {
    /// A place where the original is looked for, in the order of the chain.
    package struct Lookup: Sendable, Hashable {
        package enum Finding: String, Sendable, Hashable {
            /// A mirror has the file.
            case there
            case notThere = "not-there"
            /// A server, which a plan does not ask.
            case notAsked = "not-asked"
            /// A place before it has the original.
            case notReached = "not-reached"
        }

        /// A file's path, or a URL.
        package var place: String
        /// The same on the other hosts of the origin, tried where this one does not answer.
        package var others: [String] = []
        package var finding: Finding
    }

    /// The bytes that the plan is made for.
    package struct Original: Sendable, Hashable {
        package enum Holding: String, Sendable, Hashable {
            /// In the cache directory, from an earlier run.
            case kept
            /// In a mirror, and not taken in yet as it is now.
            case mirrored
            /// Nowhere: its size is only supposed.
            case supposed
        }

        package var holding: Holding
        /// `nil` where it is supposed.
        package var path: String?
        /// SHA-256 of the bytes; `nil` where it is supposed or too large to be taken in.
        package var version: String?
        package var format: FileFormat
        /// Why a run would not take it in.
        package var refusal: Problem?
    }

    /// A variant of the source.
    package struct Variant: Sendable, Hashable {
        package var key: String
        /// Whether the URL asks for it.
        package var isAsked: Bool
        /// Whether it is wanted for this URL and those of the last listing; else it only is there.
        package var isWanted: Bool
        /// `nil`: it is made.
        package var due: DueReason?
    }

    /// Something that stands in the way.
    package struct Problem: Sendable, Hashable {
        package var code: String
        package var message: String
    }

    package var request: Request
    /// Whether the origin renders the variants, so that each is fetched.
    package var isRemote = false
    /// The pipeline's steps in one line.
    package var steps: String
    package var lookups: [Lookup]
    /// `nil`: nothing is held, so that nothing can be planned.
    package var original: Original?
    /// Why there is no plan, or why it would fail.
    package var problem: Problem?
    /// In the order in which the URLs ask for them; what is only there comes last.
    package var variants: [Variant]
    /// How they are made; `nil` where the original's size is not known.
    package var rendering: RenderPlan?

    package func variant(_ key: String) -> Variant? { variants.first { $0.key == key } }

    /// What the URL asks for is not among what the pipeline makes: reuse may serve it.
    package var isAskedInVain: Bool { !variants.contains { $0.isAsked && $0.isWanted } }
}
