internal import System

/// How the commands that look after a cache directory take a signal.
enum UpkeepInterruption {
    static func install() {
        Interruption.install()
        Interruption.onRequest { Diagnostics.error("stopping after this step; again: at once") }
    }
}
