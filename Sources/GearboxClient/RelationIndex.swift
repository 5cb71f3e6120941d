internal import GearboxDatabase
internal import GearboxIndex
internal import GearboxURL

/// A published relation index, as an app opens it to learn which file answers a URL.
///
/// GearboxClient is what an app links. It owns the public surface and what a client does with
/// answers (swapping indexes, a cache in memory); the rules live in GearboxURL and GearboxIndex. It
/// needs SQLite and nothing else.
///
/// ```swift
/// let index = try RelationIndex(path: "cache/index.sqlite")
/// let answer = try index.resolve("https://p1.music.126.net/a.jpg?param=200y200")
/// ```
///
/// All calls may be made from any thread or task. None of them suspends; a call is a few look-ups
/// in a local file.
public final class RelationIndex: Sendable {
    private struct State {
        var readers: ReaderSet
        /// When the path is to be looked at next.
        var nextLook: ContinuousClock.Instant
    }

    private let state: Lock<State>
    private let connections: Int
    private let lookEvery: Duration?

    /// Opens an index for reading.
    ///
    /// A file that is renamed to the path, of whatever generation, takes the place of the open one by
    /// itself, within `lookEvery`. One that cannot be read does not: answers go on coming from the
    /// one before it, and `refresh()` says what is wrong.
    ///
    /// - Parameters:
    ///   - path: the file `index.sqlite`, in a cache directory, an app's bundle or downloaded; its
    ///     folder need not be writable. The file must never be written in place.
    ///   - folder: what the files of answers are relative to; `nil`: the index's own folder.
    ///   - connections: how many callers are answered at the same time; the others wait for them.
    ///   - lookEvery: how often the path is looked at; `nil`: only by `refresh()`.
    /// - Throws: `unreadable`, `notAnIndex` or `wrongVersion`.
    public init(
        path: String,
        folder: String? = nil,
        connections: Int = 2,
        lookEvery: Duration? = .seconds(1)
    ) throws(RelationIndexError) {
        precondition(connections > 0, "an index is read through one connection or more")
        self.connections = connections
        self.lookEvery = lookEvery
        let readers = try Self.open(path, folder: folder, connections)
        state = Lock(State(readers: readers, nextLook: .now + (lookEvery ?? .zero)))
    }

    /// Counts the published indexes of one cache directory, from 1.
    public var generation: Int { current.meta.generation }
    /// When the index was built: UTC, ISO 8601.
    public var builtAt: String { current.meta.builtAt }
    /// The file that answers come from.
    public var path: String { current.path }

    /// Finds the file that answers a URL.
    ///
    /// - Parameters:
    ///   - url: an absolute URL, in any spelling: it is canonicalised as the index's run did.
    ///   - accept: the formats that can be decoded, of `formats`, in any case and `jpeg` as well; `nil`
    ///     or none at all: every format.
    ///   - fit: how far the recipe goes.
    /// - Returns: the file and what is to be done to it; a miss where nothing fits.
    /// - Throws: `badURL` for what has no key, `unreadable` where the file fails.
    public func resolve(
        _ url: String,
        accept: Set<String>? = nil,
        fit: Resolution.Fit = .gear
    ) throws(RelationIndexError) -> Resolution {
        let readers = lookedAt()
        let named = accept.map { Self.formats(named: $0) }
        let accepted = named?.isEmpty == true ? nil : named
        return try answering(url, by: readers) { (request, reader) throws(IndexError) in
            let answer = try reader.answer(to: request, accepted: accepted)
            let recipe =
                fit == .request ? try reader.recipe(for: answer, toRequested: request) : nil
            return Resolution(
                input: url,
                request: request,
                answer: answer,
                fitted: recipe,
                folder: readers.folder
            )
        }
    }

    /// Understands a URL: its names, and what a cache in memory needs to know of it.
    ///
    /// - Parameters:
    ///   - url: an absolute URL, in any spelling.
    ///   - fit: the size that the picture is to have in the end.
    /// - Returns: what is asked for, whether the index has a file for it or not.
    /// - Throws: `badURL` for what has no key, `unreadable` where the file fails.
    public func request(
        for url: String,
        fit: Resolution.Fit = .gear
    ) throws(RelationIndexError) -> PictureRequest {
        try answering(url, by: lookedAt()) { (request, reader) throws(IndexError) in
            PictureRequest(
                url: url,
                request: request,
                fit: fit,
                source: try reader.source(of: request),
                hasSteps: !reader.meta.steps.isEmpty
            )
        }
    }

    /// Opens the file that has the path now, where it is another one than before.
    ///
    /// Answers that are being made come from the one before it.
    ///
    /// - Returns: whether there is another one.
    /// - Throws: where it cannot be opened; answers go on coming from the one before it.
    @discardableResult
    public func refresh() throws(RelationIndexError) -> Bool {
        let old = current
        guard old.isReplaced else { return false }
        let new = try Self.open(old.path, folder: old.folder, connections)
        return state.withLock { state in
            guard state.readers === old else { return false }
            state.readers = new
            return true
        }
    }

    /// Goes over to an index at another path, for good.
    ///
    /// - Parameters:
    ///   - path: the other file, such as one that was downloaded beside the one in use.
    ///   - folder: what the files of its answers are relative to; `nil`: its own folder.
    /// - Throws: where it cannot be opened; answers go on coming from the one before it.
    public func swap(to path: String, folder: String? = nil) throws(RelationIndexError) {
        let new = try Self.open(path, folder: folder, connections)
        state.withLock { $0.readers = new }
    }

    private var current: ReaderSet { state.withLock { $0.readers } }

    /// The readers, after a look at the path where it is time for one.
    private func lookedAt() -> ReaderSet {
        guard let lookEvery else { return current }
        let now = ContinuousClock.now
        let (readers, isDue) = state.withLock { state in
            let isDue = now >= state.nextLook
            if isDue { state.nextLook = now + lookEvery }
            return (state.readers, isDue)
        }
        guard isDue, (try? refresh()) == true else { return readers }
        return current
    }

    private func answering<Result>(
        _ url: String,
        by readers: ReaderSet,
        _ body: (Request, IndexReader) throws(IndexError) -> Result
    ) throws(RelationIndexError) -> Result {
        try readers.withReader { reader throws(RelationIndexError) in
            let request: Request
            do throws(RequestError) { request = try reader.request(for: url) } catch {
                throw RelationIndexError(error, url: url)
            }
            do throws(IndexError) { return try body(request, reader) } catch {
                throw RelationIndexError(error)
            }
        }
    }

    private static func open(
        _ path: String,
        folder: String?,
        _ connections: Int
    ) throws(RelationIndexError) -> ReaderSet {
        do {
            return try ReaderSet(
                path: path,
                folder: folder ?? self.folder(of: path),
                count: connections
            )
        } catch {
            throw RelationIndexError(error)
        }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
