package import Foundation

/// A program run to its end, and what it said.
package struct Program {
    package let status: Int32
    package let output: String
    package let errors: String

    package init(status: Int32, output: String, errors: String) {
        self.status = status
        self.output = output
        self.errors = errors
    }

    package var lines: [String] {
        output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// The program under test, built beside the tests.
    package static var gearbox: String { built("gearbox") }

    /// A program that is built beside the tests.
    package static func built(_ name: String) -> String {
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appendingPathComponent(name).path
    }

    /// The top of the checkout.
    package static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    /// Runs a program.
    ///
    /// - Parameters:
    ///   - path: absolute.
    ///   - arguments: its arguments.
    ///   - input: what it reads from standard input.
    ///   - environment: added to the tests' own.
    ///   - folder: where it runs; the top of the checkout if not given.
    /// - Returns: its status and what it wrote.
    /// - Throws: where it cannot be started.
    package static func run(
        _ path: String,
        _ arguments: [String],
        input: Data? = nil,
        environment: [String: String] = [:],
        in folder: String? = nil
    ) throws -> Program {
        let scratch = try Scratch()
        // Files, not pipes: a program that says much must not wait for a reader.
        if let input { try input.write(to: URL(fileURLWithPath: scratch.file("in"))) }
        let program = try StartedProgram(
            path,
            arguments,
            input: input == nil ? .null : .file(scratch.file("in")),
            output: .file(scratch.file("out")),
            errors: .file(scratch.file("err")),
            environment: environment,
            in: folder ?? root
        )
        return Program(
            status: program.waitForEnd(),
            output: try scratch.read("out"),
            errors: try scratch.read("err")
        )
    }

    /// Runs the program under test.
    package static func gearbox(
        _ arguments: String...,
        input: String? = nil,
        environment: [String: String] = [:],
        in folder: String? = nil
    ) throws -> Program {
        try run(
            gearbox,
            arguments,
            input: input.map { Data($0.utf8) },
            environment: environment,
            in: folder
        )
    }

    /// Runs Debian's Python, which has Pillow.
    package static func python(_ arguments: String...) throws -> Program {
        try run("/usr/bin/python3", arguments)
    }
}
