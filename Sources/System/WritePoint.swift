import Glibc
import Synchronization

/// The moments between two writes at which a process may die and must leave everything whole.
///
/// A debug build kills itself at one of them where it is asked to; in a release build there is
/// nothing to ask.
package enum WritePoint: String, CaseIterable, Sendable {
    case fileMade = "file-made"
    case fileWritten = "file-written"
    case fileNamed = "file-named"
    case fileRemoved = "file-removed"
    case filesSynced = "files-synced"
    /// Before the rows of a transaction are committed.
    case rowsWritten = "rows-written"
    case rowsCommitted = "rows-committed"
    /// The next index is whole, under no name that anybody reads.
    case draftWritten = "draft-written"
    case draftNamed = "draft-named"
    case indexWritten = "index-written"
    /// The index is published; the state does not know it yet.
    case indexNamed = "index-named"

    #if DEBUG
        /// The variable that names a point, and after a colon which time it is passed: `file-named:3`.
        private static let variable = "GEARBOX_KILL_AT"
        private static let armed = Mutex<(point: WritePoint, left: Int)?>(nil)

        /// Reads from the environment at which point this process shall die.
        package static func arm() {
            guard let text = ProcessFacts.environment(variable) else { return }
            let parts = text.split(separator: ":")
            guard let name = parts.first, let point = WritePoint(rawValue: String(name)),
                let left = parts.count == 1 ? 1 : Int(parts[1])
            else { preconditionFailure("\(variable) is \"\(text)\", which is no write point") }
            armed.withLock { $0 = (point, left) }
        }

        package func pass() {
            let isLast = Self.armed.withLock { armed in
                guard armed?.point == self else { return false }
                armed?.left -= 1
                return armed?.left == 0
            }
            if isLast { kill(getpid(), SIGKILL) }
        }
    #else
        @inlinable package static func arm() {}
        @inlinable package func pass() {}
    #endif
}
