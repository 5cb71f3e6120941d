internal import GearboxClient
internal import Manifests
internal import Prewarm
internal import System

/// What goes to standard error.
enum Diagnostics {
    static func print(_ text: String) {
        var writer = StreamWriter(.error, capacity: 0)
        try? writer.write(text)
    }

    /// One line, whatever the text holds.
    static func error(_ text: String) { print("gearbox: \(text.withoutControls)\n") }

    /// Says what went wrong.
    ///
    /// - Returns: the status that this kind of failure ends with.
    static func report(_ failure: any Error, command: String) -> ExitStatus {
        switch failure {
        case let failure as UsageError:
            error("\(command): \(failure.message); gearbox \(command) --help says more")
            return .usage
        case let failure as PipelineError:
            for problem in failure.problems { error("\(failure.file): \(problem)") }
            return .invalidInput
        case let failure as ManifestError:
            error("\(failure)")
            return .invalidInput
        default:
            error("\(failure)")
            return .environment
        }
    }
}

/// What goes to standard output at once.
enum Output {
    static func print(_ text: String) -> ExitStatus {
        var writer = StreamWriter(.output)
        do {
            try writer.write(text)
            try writer.flush()
            return .success
        } catch {
            return Diagnostics.report(error, command: "")
        }
    }
}
