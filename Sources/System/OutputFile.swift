/// A file that the user names for what a command makes: written whole or not at all, and nothing that
/// is no file is replaced.
///
/// - A file, or nothing: a new one takes the place by one rename. A symbolic link stays, and what it
///   leads to is replaced, be it there or not.
/// - A pipe or a device is written to. `-` is standard output.
/// - A folder is refused.
package struct OutputFile: ~Copyable {
    private let path: String
    /// What is written to; `nil` where a file is.
    private var stream: StreamWriter?
    private var file: TemporaryFile?
    /// The name that the file gets.
    private let target: String

    package init(_ path: String) throws(SystemError) {
        switch try Self.place(path) {
        case .output: self.init(path, StreamWriter(.output), nil, path)
        case .device: self.init(path, try StreamWriter(device: path), nil, path)
        case .file(let target):
            self.init(path, nil, try Self.file(beside: target, for: path), target)
        }
    }

    private init(
        _ path: String,
        _ stream: consuming StreamWriter?,
        _ file: consuming TemporaryFile?,
        _ target: String
    ) {
        self.path = path
        self.target = target
        self.stream = stream
        self.file = file
    }

    /// Throws where the file could not be written in the end: better before the work than after.
    package static func check(_ path: String) throws(SystemError) {
        guard case .file(let target) = try place(path) else { return }
        _ = try file(beside: target, for: path)
    }

    package mutating func write(_ bytes: [UInt8]) throws(SystemError) {
        try stream?.write(bytes)
        do throws(SystemError) { try file?.write(bytes) } catch { throw error.naming(path) }
    }

    package mutating func write(_ text: String) throws(SystemError) { try write(Array(text.utf8)) }

    /// Has all of it at its place when it returns.
    package consuming func finish() throws(SystemError) {
        try stream?.flush()
        guard let file = file.take() else { return }
        do throws(SystemError) { try file.commit(to: target) } catch { throw error.naming(path) }
    }

    private enum Place {
        case output, device
        case file(String)
    }

    private static func place(_ path: String) throws(SystemError) -> Place {
        if path == "-" { return .output }
        switch (try? FileStatus(of: path))?.kind {
        case .other: return .device
        case .directory:
            throw SystemError(
                code: .isDirectory,
                subject: path,
                message: "it is a folder; name a file in it"
            )
        case .regular, nil: return .file(try Files.followed(path))
        }
    }

    private static func file(
        beside target: String,
        for path: String
    ) throws(SystemError) -> TemporaryFile {
        do throws(SystemError) {
            return try TemporaryFile(in: Files.parent(of: target) ?? "/")
        } catch {
            throw error.naming(path)
        }
    }
}

extension SystemError {
    /// The temporary name says nothing to anybody.
    fileprivate func naming(_ path: String) -> SystemError {
        SystemError(code: code, subject: path, message: message, number: number)
    }
}
