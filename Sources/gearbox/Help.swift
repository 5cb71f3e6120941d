internal import Prewarm

/// The texts of `--help`.
enum Help {
    static func overview(of commands: [any Command.Type]) -> String {
        let width = commands.map { $0.name.count }.max() ?? 0
        let list = commands.map { "  \($0.name.padded(to: width))  \($0.abstract)" }
        return """
            gearbox \(gearboxVersion): makes every size of every picture overnight, and an index of them.

            usage: gearbox COMMAND [ARGUMENTS]

            \(list.joined(separator: "\n"))

              gearbox COMMAND --help says more of each; gearbox --version prints the version.

            \(statuses(ExitStatus.allCases, \.meaning))

            """
    }

    static func text(of command: any Command.Type) -> String {
        let flags = command.flags + [Flag("--help", nil, "print this")]
        let names = flags.map { flag in flag.value.map { "\(flag.name) \($0)" } ?? flag.name }
        let width = names.map { $0.count }.max() ?? 0
        let list = zip(flags, names).map { flag, name in
            let lines = flag.help.split(separator: "\n").map(String.init)
            let indent = String(repeating: " ", count: width + 4)
            return "  \(name.padded(to: width))  " + lines.joined(separator: "\n\(indent)")
        }
        return """
            \(command.abstract)

            usage: gearbox \(command.name) [FLAGS] \(command.operands)

            \(list.joined(separator: "\n"))

            \(command.notes)

            \(statuses(command.exitStatuses, command.meaning))

            """
    }

    private static func statuses(
        _ statuses: [ExitStatus],
        _ meaning: (ExitStatus) -> String
    ) -> String {
        let lines = statuses.map { "  \(String($0.rawValue).padded(to: 3))  \(meaning($0))" }
        return "exit status:\n" + lines.joined(separator: "\n")
    }

}
