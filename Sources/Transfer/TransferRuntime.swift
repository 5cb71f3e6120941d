internal import CCurl

/// libcurl's one start in a process.
enum TransferRuntime {
    private static let started = ccurl_global_init()

    static func start() {
        precondition(started == CURLE_OK, "libcurl cannot be started: \(started.rawValue)")
    }
}
