import CSystem
import Glibc
import System

/// A child process of the tests: the first argument says what it does.
///
/// What came of it goes to the parent as messages of text.
@main
enum ChildProbe {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        let parent = try MessageSocket(descriptor: 3)
        switch words.first {
        case "echo": try echo(parent)
        case "facts": try parent.send(text: facts())
        case "half": unsafe write(3, [9, 0, 0, 0, 1, 2] as [UInt8], 6)
        case "endless": unsafe write(3, [0, 0, 0, 5, 1] as [UInt8], 5)
        case "slow":
            for byte in [2, 0, 0, 0, 65, 66] as [UInt8] {
                unsafe write(3, [byte], 1)
                usleep(100_000)
            }
        case "exit": exit(3)
        case "crash":
            _ = try Sandbox.ofProbe.enter()
            // A real fault: the runtime's handler lets it happen again, which a signal that was sent
            // would not.
            unsafe UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
        case "grow": try grow(parent, bytes: Int(words.last ?? "") ?? 0)
        case "deaf": while true { pause() }
        case "stops":
            ParentDeath.ignoreStops()
            try echo(parent)
        case "bound":
            guard ParentDeath.dieWithParent(ParentDeath.parent) else { exit(4) }
            try parent.send(text: "\(getpid())")
            while true { pause() }
        case "bound-to-another": exit(ParentDeath.dieWithParent(getpid()) ? 0 : 4)
        case "family": try family(parent)
        case "attempts": try await Attempts(Array(words.dropFirst())).make(telling: parent)
        case "abort":
            _ = try Sandbox.ofProbe.enter()
            abort()
        case "outgrow": try outgrow(parent)
        default: exit(64)
        }
    }

    private static func echo(_ parent: MessageSocket) throws {
        while case .message(let message) = try parent.receive() { try parent.send(message) }
    }

    /// What is open, the group, and where standard input and output lead.
    private static func facts() throws -> String {
        // Not by listing a folder, which opens it; and Swift's runtime keeps some open itself.
        let descriptors = (0..<64).filter { csystem_descriptor_flags($0) >= 0 }.map { "\($0)" }
        let group = getpgrp() == getpid() ? "own" : "other"
        let streams = try ["0", "1"].map { try Files.resolved("/proc/self/fd/\($0)") }
        let words = CommandLine.arguments.dropFirst(2).joined(separator: ",")
        return "\(descriptors.joined(separator: ",")) \(group) "
            + "\(streams.joined(separator: ",")) \(words)"
    }

    private static func grow(_ parent: MessageSocket, bytes: Int) throws {
        var taken = [UInt8](repeating: 1, count: bytes)
        try parent.send(text: "taken")
        _ = try parent.receive()
        taken[0] = 2
    }

    /// Starts a child of its own that is bound to it, and says its number.
    private static func family(_ parent: MessageSocket) throws {
        guard let program = ProcessFacts.executablePath else { exit(5) }
        let child = try ChildProcess(program: program, arguments: ["bound"])
        guard case .message(let number) = try child.socket.receive() else { exit(6) }
        try parent.send(number)
        withExtendedLifetime(child) { while true { pause() } }
    }

    /// Asks for more memory than the sandbox leaves.
    private static func outgrow(_ parent: MessageSocket) throws {
        _ = try Sandbox.ofProbe.enter()
        let within = unsafe malloc(32 << 20)
        let beyond = unsafe malloc(128 << 20)
        try parent.send(
            text: unsafe "within \(within == nil ? "none" : "some"), "
                + "beyond \(beyond == nil ? "none" : "some")"
        )
        unsafe free(within)
    }
}

extension Sandbox {
    /// With 64 MiB to grow.
    static let ofProbe = Sandbox(
        readable: Sandbox.systemFiles,
        writable: [],
        dataBytes: 64 << 20,
        openFiles: 32
    )
}

extension MessageSocket {
    func send(text: String) throws { try send(Array(text.utf8)) }
}
