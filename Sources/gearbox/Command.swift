/// A flag of a command.
struct Flag {
    /// With its dashes.
    let name: String
    /// What its value is called; `nil` for a switch.
    let value: String?
    let help: String

    init(_ name: String, _ value: String? = nil, _ help: String) {
        self.name = name
        self.value = value
        self.help = help
    }
}

/// A subcommand: what it takes, what its help says, what it does.
protocol Command: SendableMetatype {
    static var name: String { get }
    static var abstract: String { get }
    /// The positional arguments, as the usage line shows them.
    static var operands: String { get }
    /// How many positional arguments there may be.
    static var operandCount: ClosedRange<Int> { get }
    static var flags: [Flag] { get }
    /// What the help says below the flags.
    static var notes: String { get }
    static var exitStatuses: [ExitStatus] { get }

    /// What a status means where it is not what it means for a run.
    static func meaning(of status: ExitStatus) -> String

    init(_ arguments: Arguments) throws
    func run() async throws -> ExitStatus
}

extension Command {
    static func meaning(of status: ExitStatus) -> String { status.meaning }
}

/// The command line is wrong: said with how to get it right.
struct UsageError: Error {
    let message: String
}
