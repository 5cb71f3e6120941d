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

    package static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
}
