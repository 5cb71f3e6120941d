internal import GearboxURL
internal import Store
internal import System

/// What every stage of a run works with.
struct RunContext: Sendable {
    let run: Int
    let pipeline: Pipeline
    let state: StateQueue
    /// The variants' files.
    let store: Store
    /// The originals' files.
    let originals: Store
    let progress: RunProgress
    /// After this instant no new source is taken up.
    let deadline: ContinuousClock.Instant?
    /// Sources that are fetched and rendered anew, whatever the state says: by key or URL.
    var refresh: [Wildcard] = []
    /// What is started for each worker.
    var program = Self.thisProgram

    /// The program that is running, also where its file was removed or replaced since: both ends are
    /// of one version.
    static let thisProgram = "/proc/self/exe"

    /// Whether no new work may be taken up; what is in flight is finished.
    var isStopping: Bool {
        Interruption.isRequested || deadline.map { ContinuousClock.now >= $0 } ?? false
    }

    /// Whether what is held and made of a source does not count.
    func refreshes(_ source: SourceRow) -> Bool {
        // The bytes of a variant that its origin renders go by the key of the variant.
        let plain = source.variantOf == nil ? source.path : String(source.path.prefix { $0 != "?" })
        return refresh.contains { $0.matches(plain) || $0.matches(source.url) }
    }

    /// A stage between two pieces of work of its own looks whether it may go on.
    func checkInterruption() throws { try Self.checkInterruption() }

    static func checkInterruption() throws {
        if Interruption.isRequested { throw Interrupted() }
    }
}

/// The run was asked to stop between two pieces of work; a run again goes on.
struct Interrupted: Error {}
