import CSystem
import Glibc
import Synchronization

/// A fixed set of named threads for work that blocks: C code, the disk.
///
/// Such work must not run on Swift's cooperative pool, which has one thread for each core and
/// stalls when they wait. The list of waiting jobs has no bound of its own: the callers' window
/// of work in flight is the bound.
package final class BlockingThreads: TaskExecutor, Sendable {
    private let queue: JobQueue
    /// How many parts of tasks may wait for a busy thread before another is woken: most are short, and
    /// two threads that pass the same things to and fro take longer for them than one.
    private static let backlog = 8
    private let threads: Mutex<[pthread_t]>

    /// Starts the threads.
    ///
    /// - Parameters:
    ///   - name: the threads are called `name-0`, `name-1`...; the kernel keeps 15 bytes.
    ///   - count: how many.
    ///   - onThreadExit: called on each thread before it ends, for libraries that keep something
    ///     for each thread.
    package init(name: String, count: Int, onThreadExit: (@Sendable () -> Void)? = nil) {
        precondition(count > 0, "no thread would ever take a job")
        let queue = JobQueue(threads: count)
        self.queue = queue
        let started = (0..<count).map { index in
            startThread(name: "\(name)-\(index)") {
                while let job = queue.next() { job.run() }
                onThreadExit?()
            }
        }
        threads = Mutex(started)
    }

    /// Runs work on one of the threads.
    package func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.add { continuation.resume(with: Result(catching: work)) }
        }
    }

    /// Does work on shares of the elements, on as many threads as there are shares and threads.
    ///
    /// - Returns: what came of them, in the elements' order.
    package func run<Element: Sendable, Value: Sendable>(
        inSharesOf count: Int,
        _ elements: [Element],
        _ work: @escaping @Sendable (ArraySlice<Element>) throws -> [Value]
    ) async throws -> [Value] {
        let starts = stride(from: 0, to: elements.count, by: count)
        return try await withThrowingTaskGroup(of: (Int, [Value]).self) { group in
            for start in starts {
                let share = elements[start..<min(start + count, elements.count)]
                group.addTask { try await (start, self.run { try work(share) }) }
            }
            let results = try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            return starts.flatMap { results[$0] ?? [] }
        }
    }

    /// Has work done on one of the threads, and does not wait for it.
    package func submit(_ work: @escaping @Sendable () -> Void) { queue.add(work) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.add(backlog: Self.backlog) {
            unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }

    /// Does what was asked for so far, then ends the threads.
    ///
    /// No job may follow, and no job may call it.
    package func shutDown() {
        queue.close()
        let ending = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in ending { pthread_join(thread, nil) }
    }

    deinit {
        queue.close()
        for thread in threads.withLock({ $0 }) { pthread_detach(thread) }
    }
}
