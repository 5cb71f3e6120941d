import Glibc

/// Jobs in the order they came, and the threads that wait for them.
///
/// Unchecked: what varies is touched only under `mutex`. Swift's own `Mutex` has no
/// condition to wait on.
@safe final class JobQueue: @unchecked Sendable {
    typealias Job = @Sendable () -> Void

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [Job?] = []
    private var head = 0
    private var isClosed = false

    init() {
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    func add(_ job: @escaping Job) {
        unsafe pthread_mutex_lock(mutex)
        precondition(!isClosed, "a job was given to threads that have been shut down")
        jobs.append(job)
        unsafe pthread_mutex_unlock(mutex)
        // Who is woken sooner finds the lock taken and sleeps again.
        unsafe pthread_cond_signal(condition)
    }

    /// Waits for the next job; `nil` when the queue is closed and empty.
    func next() -> Job? {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while head == jobs.count && !isClosed { unsafe pthread_cond_wait(condition, mutex) }
        guard head < jobs.count else { return nil }
        let job = jobs[head]
        jobs[head] = nil
        head += 1
        if head > 64 && head * 2 > jobs.count {
            jobs.removeFirst(head)
            head = 0
        }
        return job
    }

    func close() {
        unsafe pthread_mutex_lock(mutex)
        isClosed = true
        unsafe pthread_cond_broadcast(condition)
        unsafe pthread_mutex_unlock(mutex)
    }
}
