internal import Prewarm
internal import Synchronization
internal import System

/// Shows how far a run is: one line that changes on a terminal, a plain line now and then elsewhere.
final class ProgressDisplay: Sendable {
    private let progress: RunProgress
    private let isQuiet: Bool
    private let isTerminal = StandardStream.error.isTerminal
    private let started = ContinuousClock.now
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ progress: RunProgress, isQuiet: Bool) {
        self.progress = progress
        self.isQuiet = isQuiet
    }

    func start() {
        guard !isQuiet else { return }
        let interval: Duration = isTerminal ? .milliseconds(200) : .seconds(10)
        let running = Task { [self] in
            while !Task.isCancelled {
                guard (try? await Task.sleep(for: interval)) != nil else { return }
                show()
            }
        }
        task.withLock { $0 = running }
    }

    /// Ends the display and leaves a clean line.
    func stop() {
        task.withLock { $0?.cancel() }
        if !isQuiet && isTerminal { Diagnostics.print("\r\u{1B}[K") }
    }

    private func show() {
        let snapshot = progress.snapshot
        guard snapshot.stage != nil else { return }
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        let text = Self.line(snapshot, seconds: seconds)
        if isTerminal {
            let columns = StandardStream.error.terminalColumns ?? 80
            Diagnostics.print("\r\u{1B}[K" + text.prefix(columns - 1))
        } else {
            Diagnostics.print(text + "\n")
        }
    }

    static func line(_ snapshot: RunProgress.Snapshot, seconds: Double) -> String {
        var parts = [snapshot.stage?.rawValue ?? ""]
        if let total = snapshot.total {
            parts.append("\(snapshot.done) of \(total)")
        } else {
            parts.append("\(snapshot.done)")
        }
        if snapshot.produced > 0 { parts.append("\(snapshot.produced) variants made") }
        if snapshot.failed > 0 { parts.append("\(snapshot.failed) sources failed") }
        if snapshot.fetchedBytes > 0 {
            parts.append(ByteText.of(snapshot.fetchedBytes) + " fetched")
        }
        parts.append("\(Int(seconds)) s")
        return parts.joined(separator: ", ")
    }
}

/// Bytes as people read them.
enum ByteText {
    static func of(_ bytes: Int) -> String {
        var value = Double(bytes)
        for unit in ["B", "KiB", "MiB", "GiB"] {
            if value < 1_024 {
                let rounded = (value * 10).rounded() / 10
                return unit == "B" ? "\(bytes) B" : "\(rounded) \(unit)"
            }
            value /= 1_024
        }
        return "\((value * 10).rounded() / 10) TiB"
    }
}
