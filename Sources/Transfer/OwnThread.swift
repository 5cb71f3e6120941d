internal import CCurl

/// A thread that runs one closure and can be waited for.
struct OwnThread: ~Copyable {
    private let thread: pthread_t
    private var isJoined = false

    init(_ body: @escaping @Sendable () -> Void) {
        let start = unsafe Unmanaged.passRetained(Start(body)).toOpaque()
        thread = unsafe ccurl_start_thread(
            { user in
                if let user = unsafe user {
                    unsafe Unmanaged<Start>.fromOpaque(user).takeRetainedValue().body()
                }
                return nil
            },
            start
        )
        if thread == 0 { unsafe ccurl_end_process("thread") }
    }

    deinit { if !isJoined { ccurl_detach_thread(thread) } }

    consuming func join() {
        ccurl_join_thread(thread)
        isJoined = true
    }

    private final class Start: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
