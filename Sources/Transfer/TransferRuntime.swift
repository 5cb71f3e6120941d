internal import CCurl

/// libcurl's one start in a process.
enum TransferRuntime {
    private static let started = ccurl_global_init()

    static func start() {
        if started != CURLE_OK { unsafe ccurl_end_process("memory") }
    }
}
