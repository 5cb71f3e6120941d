internal import GearboxDatabase
internal import GearboxIndex

/// One index file, open as often as there are callers to be answered at the same time.
///
/// All of its connections are to the same file, whatever has its path later. Whoever is being
/// answered keeps the set alive, so that an answer is whole when another set takes its place.
final class ReaderSet: Sendable {
    let path: String
    /// What the files of answers are relative to.
    let folder: String
    let meta: IndexMeta
    private let connections: [Lock<Connection>]

    /// A reader, which is not Sendable.
    private struct Connection: @unchecked Sendable {
        // Unchecked: it is made for its lock, and only used in it.
        let reader: IndexReader
    }

    init(path: String, folder: String, count: Int) throws(IndexError) {
        self.path = path
        self.folder = folder
        var readers = [try IndexReader(path: path)]
        while readers.count < count {
            let reader = try IndexReader(path: path)
            // The file was replaced in between: all are to be of one.
            if reader.meta != readers[0].meta { readers.removeAll() }
            readers.append(reader)
        }
        meta = readers[0].meta
        connections = readers.map { Lock(Connection(reader: $0)) }
    }

    /// Whether another file has the path now, or none has.
    var isReplaced: Bool {
        withReader { $0.isReplaced }
    }

    /// Lends a reader that nobody else uses; waits for one where all are in use.
    func withReader<Result, Failure: Error>(
        _ body: (IndexReader) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        for connection in connections {
            let answer = try connection.withLockIfFree { (held: inout Connection) throws(Failure) in
                try body(held.reader)
            }
            if let answer { return answer }
        }
        let connection = connections[Int.random(in: connections.indices)]
        return try connection.withLock { (held: inout Connection) throws(Failure) in
            try body(held.reader)
        }
    }
}
