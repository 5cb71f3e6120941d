import CSystem
import Glibc

/// Has the calling thread wait: one that may block, none of Swift's own.
package func pause(for time: Duration) {
    usleep(useconds_t(clamping: Int(time / .microseconds(1))))
}

/// Starts a thread that must be joined.
///
/// Where the system has none left, nothing can go on or be cleaned up: one line is written, and the
/// process ends with the status of a failed environment.
func startThread(name: String, _ body: @escaping @Sendable () -> Void) -> pthread_t {
    let start = unsafe Unmanaged.passRetained(ThreadStart(name: name, body: body))
    var thread = pthread_t()
    let failed = unsafe pthread_create(&thread, nil, runThread, start.toOpaque())
    guard failed == 0 else { endWithoutThread(failed) }
    return thread
}

private func endWithoutThread(_ number: Int32) -> Never {
    var writer = StreamWriter(.error, capacity: 0)
    try? writer.write(
        "gearbox: cannot start a thread: \(SystemError.describe(number)); raise `ulimit -u`, "
            + "`ulimit -v` or the container's pids.max, or free memory, and run again\n"
    )
    // Threads that run already must not meet what `exit` takes down.
    _exit(4)
}

/// Starts a thread that lives as long as the process.
func startDetachedThread(name: String, _ body: @escaping @Sendable () -> Void) {
    pthread_detach(startThread(name: name, body))
}

private final class ThreadStart: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}

private func runThread(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let start = unsafe start else { return nil }
    let thread = unsafe Unmanaged<ThreadStart>.fromOpaque(start).takeRetainedValue()
    unsafe csystem_set_thread_name(pthread_self(), String(thread.name.utf8.prefix(15)) ?? "")
    thread.body()
    return nil
}
