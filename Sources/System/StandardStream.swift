import CSystem
import Glibc

/// Where a process writes: results to `output`, all else to `error`.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// The columns of the terminal; `nil` where the stream is none.
    package var terminalColumns: Int? {
        let columns = csystem_terminal_columns(rawValue)
        return columns > 0 ? Int(columns) : nil
    }

    /// Takes the places of standard streams that the process was started without, so that no file
    /// that is opened later is taken for one.
    ///
    /// Reading such an input fails, and so does writing to such an output.
    package static func reserveClosed() {
        for descriptor in STDIN_FILENO...STDERR_FILENO {
            if csystem_descriptor_flags(descriptor) >= 0 { continue }
            let mode = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
            _ = unsafe csystem_open("/dev/null", mode, 0)
        }
    }

    /// Drops what is written to the error stream from now on: libraries put their own words there.
    package static func silenceErrors() {
        let descriptor = unsafe csystem_open("/dev/null", O_WRONLY, 0)
        guard descriptor >= 0 else { return }
        dup2(descriptor, STDERR_FILENO)
        close(descriptor)
    }

    package static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
}
