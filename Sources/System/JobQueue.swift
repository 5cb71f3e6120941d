import Glibc
import Synchronization

/// Jobs in the order they came, and the threads that wait for them.
///
/// A semaphore and not a condition: until glibc 2.41 a condition can lose what wakes one of several
/// threads that wait (its bug 25847), and a night would stand still.
///
/// Unchecked: the semaphore is the system's own, and made for many threads.
@safe final class JobQueue: @unchecked Sendable {
    typealias Job = @Sendable () -> Void

    private struct Jobs {
        var waiting: [Job?] = []
        var head = 0
        var isClosed = false

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

    private let jobs = Mutex(Jobs())
    /// Counts the jobs that nobody has taken, and one more once the queue is closed.
    private let available = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { unsafe sem_init(available, 0, 0) }

    deinit {
        unsafe sem_destroy(available)
        unsafe available.deallocate()
    }

    func add(_ job: @escaping Job) {
        jobs.withLock { jobs in
            precondition(!jobs.isClosed, "a job was given to threads that have been shut down")
            jobs.waiting.append(job)
        }
        unsafe sem_post(available)
    }

    /// Waits for the next job; `nil` when the queue is closed and empty.
    func next() -> Job? {
        // A signal may end a wait early.
        while unsafe sem_wait(available) != 0 {}
        let job = jobs.withLock { $0.take() }
        // What wakes one thread at the end wakes the next.
        if job == nil { unsafe sem_post(available) }
        return job
    }

    func close() {
        jobs.withLock { $0.isClosed = true }
        unsafe sem_post(available)
    }
}
