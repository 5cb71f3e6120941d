import CSystem
import Glibc
import Synchronization

/// The one thread that starts children, and lives as long as the process.
///
/// A child that is to die with its parent dies with the *thread* that started it: the threads of a
/// pool would take their children with them.
enum ChildStarter {
    struct Started: Sendable {
        var identifier: Int32 = 0
        /// An errno; 0 where it was started.
        var failure: Int32 = 0
    }

    private final class Answer: Sendable { let started = Mutex(Started()) }

    private static let requests: JobQueue = {
        csystem_keep_ended_children()
        let requests = JobQueue(threads: 1)
        startDetachedThread(name: "children") {
            while let request = requests.next() { request.run() }
        }
        return requests
    }()

    /// Starts a program and waits until it runs, or could not be started.
    ///
    /// - Parameters:
    ///   - program: its path.
    ///   - name: what it is called by.
    ///   - arguments: those after its name.
    ///   - end: what becomes its descriptor 3.
    /// - Returns: its number, or why there is none.
    static func start(
        _ program: String,
        name: String,
        _ arguments: [String],
        end: Int32
    ) -> Started {
        let answer = Answer()
        let answered = JobQueue(threads: 1)
        requests.add {
            answer.started.withLock { $0 = spawn(program, [name] + arguments, end: end) }
            answered.add {}
        }
        _ = answered.next()
        return answer.started.withLock { $0 }
    }

    private static func spawn(_ program: String, _ words: [String], end: Int32) -> Started {
        var words = unsafe words.map { unsafe strdup($0) }
        unsafe words.append(nil)
        defer { unsafe words.forEach { unsafe free($0) } }
        var started = Started()
        started.failure = unsafe csystem_start_child(program, words, end, &started.identifier)
        return started
    }
}
