import CSystem
import Glibc

/// Has the calling thread wait: one that may block, none of Swift's own.
package func pause(for time: Duration) {
    usleep(useconds_t(clamping: Int(time / .microseconds(1))))
}

/// Starts a thread that must be joined.
func startThread(name: String, _ body: @escaping @Sendable () -> Void) -> pthread_t {
    let start = unsafe Unmanaged.passRetained(ThreadStart(name: name, body: body))
    var thread = pthread_t()
    let failed = unsafe pthread_create(&thread, nil, runThread, start.toOpaque())
    precondition(failed == 0, "the system has no thread left: error \(failed)")
    return thread
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
