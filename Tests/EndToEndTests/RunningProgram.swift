import Foundation
import TestSupport
import Testing

/// The program under test while it runs, and the workers it has started.
final class RunningProgram {
    let process: StartedProgram
    private let scratch: Scratch

    convenience init(
        _ arguments: String...,
        program: String = Program.gearbox,
        in scratch: Scratch
    ) throws {
        try self.init(arguments: arguments, program: program, in: scratch)
    }

    init(
        arguments: [String],
        program: String = Program.gearbox,
        in scratch: Scratch
    ) throws {
        self.scratch = scratch
        process = try StartedProgram(
            program,
            arguments,
            output: .file(scratch.file("output")),
            errors: .null
        )
    }

    /// The workers that live now.
    var workers: [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.filter { process in
            Self.status(of: process)?.parent == self.process.identifier
        }
    }

    /// Waits for a worker, other than the given ones, that has used so much time that it is at work.
    func busyWorker(besides known: Set<Int32> = [], ticks: Int = 15) throws -> Int32 {
        for _ in 0..<6_000 where process.isRunning {
            let busy = workers.first {
                !known.contains($0) && (Self.status(of: $0)?.ticks ?? 0) >= ticks
            }
            if let busy { return busy }
            usleep(5_000)
        }
        throw NoWorker()
    }

    /// What the run and its workers have in memory now, together.
    var residentBytes: Int {
        (workers + [process.identifier]).reduce(0) { sum, process in
            let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)
            let pages = text?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            return sum + (pages ?? 0) * Int(getpagesize())
        }
    }

    func finish() throws -> RunLines {
        let status = process.waitForEnd()
        return try RunLines(
            Program(status: status, output: try scratch.read("output"), errors: "")
        )
    }

    /// Whether a process is there and not only waits to be buried.
    static func isAlive(_ process: Int32) -> Bool {
        status(of: process).map { $0.state != "Z" } ?? false
    }

    private static func status(
        of process: Int32
    ) -> (state: Substring, parent: Int32, ticks: Int)? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 12, let parent = Int32(fields[1]), let user = Int(fields[11]),
            let system = Int(fields[12])
        else { return nil }
        return (fields[0], parent, user + system)
    }

    struct NoWorker: Error {}
}
