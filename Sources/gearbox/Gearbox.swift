internal import GearboxClient
internal import GearboxURL
internal import Prewarm
internal import System

/// The program: picks the command, prints its errors, ends with its status.
///
/// The executable owns flags, commands and progress; what it does lies in the libraries.
@main
enum Gearbox {
    static let commands: [any Command.Type] = [
        RunCommand.self, CanonicalizeCommand.self, ResolveCommand.self, CheckCommand.self,
        PlanCommand.self, StatusCommand.self, VerifyCommand.self, EvictCommand.self,
        RemoveCommand.self, ExportCommand.self, GearsCommand.self,
    ]

    static func main() async {
        StandardStream.reserveClosed()
        ProcessMemory.boundArenas()
        // What is not UTF-8 is percent-encoded, as in lines of URLs. A path cannot have such bytes.
        let words = CommandWords.all().map { String(urlBytes: $0.span) }
        if words.isEmpty {
            Diagnostics.error("/proc is not mounted, and gearbox needs it; mount it and run again")
            endProcess(status: ExitStatus.environment.rawValue)
        }
        if words.dropFirst().first == RenderWorker.command { work(words.dropFirst(2)) }
        WritePoint.arm()
        Interruption.ignoreBrokenPipes()
        let status = await run(words.dropFirst())
        endProcess(status: status.rawValue)
    }

    /// A worker's whole life: before any thread is started, as its sandbox wants it.
    private static func work(_ words: ArraySlice<String>) -> Never {
        do {
            endProcess(status: try RenderWorker.run(words))
        } catch {
            Diagnostics.error("\(RenderWorker.command): \(error)")
            endProcess(status: ExitStatus.usage.rawValue)
        }
    }

    private static func run(_ words: ArraySlice<String>) async -> ExitStatus {
        guard let first = words.first else {
            Diagnostics.print(Help.overview(of: commands))
            return .usage
        }
        if first == "--help" || first == "-h" || first == "help" {
            return Output.print(Help.overview(of: commands))
        }
        if first == "--version" { return Output.print("gearbox \(gearboxVersion)\n") }
        guard let command = commands.first(where: { $0.name == first }) else {
            Diagnostics.error("there is no command \"\(first)\"; gearbox --help lists them")
            return .usage
        }
        let rest = words.dropFirst()
        let beforeOperands = rest.prefix { $0 != "--" }
        if beforeOperands.contains("--help") || beforeOperands.contains("-h") {
            return Output.print(Help.text(of: command))
        }
        do {
            let arguments = try Arguments(rest, flags: command.flags)
            guard command.operandCount.contains(arguments.operands.count) else {
                throw UsageError(
                    message: "it takes \(command.operands), not \(arguments.operands.count) of them"
                )
            }
            return try await command.init(arguments).run()
        } catch {
            return Diagnostics.report(error, command: command.name)
        }
    }
}
