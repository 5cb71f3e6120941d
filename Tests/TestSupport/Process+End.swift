import Dispatch
package import Foundation

extension Process {
    /// Waits until the program has ended; one that hangs is killed, so that its test fails and says
    /// so where the suite would wait for ever.
    package func waitForEnd() {
        let seconds = ProcessInfo.processInfo.environment["GEARBOX_SOAK"] == nil ? 300 : 3_600
        let name = executableURL?.lastPathComponent ?? "a program"
        let words = (arguments ?? []).joined(separator: " ")
        let identifier = processIdentifier
        let end = DispatchWorkItem {
            FileHandle.standardError.write(
                Data("killed after \(seconds) seconds: \(name) \(words)\n".utf8)
            )
            kill(identifier, SIGKILL)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds), execute: end)
        waitUntilExit()
        end.cancel()
    }
}
