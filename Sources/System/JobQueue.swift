import Glibc
import Synchronization

/// Jobs in the order they came, and the threads that wait for them.
///
/// A semaphore and not a condition: until glibc 2.41 a condition can lose what wakes one of several
/// threads that wait (its bug 25847), and a night would stand still.
///
/// Unchecked: the semaphore is the system's own, and made for many threads.
@safe final class JobQueue: @unchecked Sendable {
    /// A type of its own: an array of plain closures would wrap each of them in others.
    struct Job: Sendable { let run: @Sendable () -> Void }

    private struct State {
        var waiting: [Job?] = []
        var head = 0
        var isClosed = false
        /// Threads that have found nothing and that nobody has woken.
        var sleeping = 0

        var count: Int { waiting.count - head }

        mutating func take() -> Job? {
            guard head < waiting.count else { return nil }
            let job = waiting[head]
            waiting[head] = nil
            head += 1
            if head > 64 && head * 2 > waiting.count {
                waiting.removeFirst(head)
                head = 0
            }
            return job
        }
    }

    private enum Turn {
        case job(Job)
        case sleep
        case end
    }

    private let threads: Int
    private let state = Mutex(State())
    /// Counts the threads that are woken and still wait.
    private let woken = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    /// A queue that so many threads take jobs from.
    init(threads: Int) {
        self.threads = threads
        unsafe sem_init(woken, 0, 0)
    }

    deinit {
        unsafe sem_destroy(woken)
        unsafe woken.deallocate()
    }

    /// Adds a job.
    ///
    /// - Parameters:
    ///   - backlog: how many may wait for a busy thread while another sleeps.
    ///   - run: what is to be done.
    func add(backlog: Int = 0, _ run: @escaping @Sendable () -> Void) {
        let wakes = state.withLock { state in
            precondition(!state.isClosed, "a job was given to threads that have been shut down")
            state.waiting.append(Job(run: run))
            guard state.sleeping > 0, state.sleeping == threads || state.count > backlog else {
                return false
            }
            state.sleeping -= 1
            return true
        }
        if wakes { unsafe sem_post(woken) }
    }

    /// Waits for the next job; `nil` when the queue is closed and empty.
    func next() -> Job? {
        while true {
            let turn: Turn = state.withLock { state in
                if let job = state.take() { return .job(job) }
                if state.isClosed { return .end }
                state.sleeping += 1
                return .sleep
            }
            switch turn {
            case .job(let job): return job
            case .end: return nil
            case .sleep:
                // A signal may end a wait early.
                while unsafe sem_wait(woken) != 0 {}
            }
        }
    }

    func close() {
        let sleepers = state.withLock { state in
            defer { state.sleeping = 0 }
            state.isClosed = true
            return state.sleeping
        }
        for _ in 0..<sleepers { unsafe sem_post(woken) }
    }
}
