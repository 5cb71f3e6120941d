/// What the process says of itself when it ends.
enum ExitStatus: Int32, CaseIterable {
    case success = 0
    case someFailed = 1
    case usage = 2
    case invalidInput = 3
    case environment = 4
    case interrupted = 130

    var meaning: String {
        switch self {
        case .success: "all was produced or reused"
        case .someFailed: "some entries failed; the rest is done"
        case .usage: "the command line is wrong"
        case .invalidInput: "the pipeline or a manifest is invalid"
        case .environment: "the environment failed: store, database, disk, lock"
        case .interrupted: "interrupted; run again to go on"
        }
    }
}
