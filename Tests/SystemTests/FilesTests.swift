import Foundation
import System
import TestSupport
import Testing

@Suite("Files")
struct FilesTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test("Status tells kind, size, time and inode")
    func status() throws {
        try scratch.write("abc", to: "a")
        let status = try FileStatus(of: scratch.path + "/a")
        #expect(status.kind == .regular)
        #expect(status.bytes == 3)
        #expect(status.links == 1)
        let age = WallTime.now().nanosecondsSince1970 - status.modifiedNanoseconds
        #expect(abs(age) < 60_000_000_000)
        #expect(try FileStatus(of: scratch.path).kind == .directory)
        #expect(Files.size(of: scratch.path + "/a") == 3)
        #expect(Files.size(of: scratch.path) == nil)
        #expect(!Files.exists(scratch.path + "/b"))
    }

    @Test("What is not there is not found, with the path and a sentence")
    func notFound() throws {
        let path = scratch.path + "/none"
        let error = #expect(throws: SystemError.self) { try FileStatus(of: path) }
        #expect(error?.code == .notFound)
        #expect(error?.subject == path)
        #expect(error?.number == ENOENT)
        #expect(error?.description == "\(path): cannot look at it: no such file or folder")
    }

    @Test("Folders are made with those above them, and twice")
    func folders() throws {
        let path = scratch.path + "/a/b/c"
        try Files.createDirectories(path)
        try Files.createDirectories(path + "/")
        #expect(try FileStatus(of: path).kind == .directory)
        try scratch.write("", to: "plain")
        let error = #expect(throws: SystemError.self) {
            try Files.createDirectories(scratch.path + "/plain/x")
        }
        #expect(error?.code == .notDirectory)
        #expect(throws: SystemError.self) {
            try Files.createDirectories(scratch.path + "/plain")
        }
    }

    @Test("Names are listed in byte order")
    func list() throws {
        for name in ["b", "B", "é", "a.txt", ".hidden"] { try scratch.write("", to: name) }
        #expect(try Files.entries(of: scratch.path) == [".hidden", "B", "a.txt", "b", "é"])
    }

    @Test("Rename, link and remove do what they say")
    func names() throws {
        let (a, b) = (scratch.path + "/a", scratch.path + "/b")
        try scratch.write("a", to: "a")
        try scratch.write("b", to: "b")
        try Files.rename(a, to: b)
        #expect(try scratch.read("b") == "a")
        try Files.rename(b, to: scratch.path + "/new/folder/c", makingFolders: true)
        #expect(try scratch.read("new/folder/c") == "a")
        try Files.hardLink(scratch.path + "/new/folder/c", to: a)
        let error = #expect(throws: SystemError.self) {
            try Files.hardLink(scratch.path + "/new/folder/c", to: a)
        }
        #expect(error?.code == .exists)
        try Files.remove(a)
        try Files.remove(a)
        #expect(try scratch.names() == ["new"])
    }

    @Test(
        "The parent of a path",
        arguments: [
            ("/a/b", "/a"), ("/a", "/"), ("a", "."), ("a/b/", "a"), ("/", nil), ("//", nil),
        ]
    )
    func parent(path: String, expected: String?) {
        #expect(Files.parent(of: path) == expected)
    }

    @Test("A reader gives the bytes in order, then 0")
    func reader() throws {
        let text = (0..<5000).map { "line \($0)\n" }.joined()
        try scratch.write(text, to: "a")
        let file = try FileReader(scratch.path + "/a")
        var buffer = [UInt8](repeating: 0, count: 1000)
        var bytes: [UInt8] = []
        while true {
            let count = try file.read(into: &buffer)
            if count == 0 { break }
            bytes.append(contentsOf: buffer[..<count])
        }
        #expect(String(decoding: bytes, as: UTF8.self) == text)
        #expect(try file.status().bytes == text.utf8.count)
        let error = #expect(throws: SystemError.self) {
            try FileReader.contents(of: scratch.path + "/a", limit: 100)
        }
        #expect(error?.code == .tooLarge)
    }

    @Test("A temporary file gets its name whole, or leaves nothing")
    func temporary() throws {
        var file = try TemporaryFile(in: scratch.path)
        try file.write(Array("whole".utf8))
        #expect(try scratch.names().count == 1)
        #expect(try scratch.names()[0].hasPrefix(TemporaryFile.prefix))
        try file.commit(to: scratch.path + "/sub/a")
        #expect(try scratch.names() == ["sub"])
        #expect(try scratch.read("sub/a") == "whole")

        do {
            var dropped = try TemporaryFile(in: scratch.path)
            try dropped.write(Array("half".utf8))
        }
        #expect(try scratch.names() == ["sub"])

        try scratch.write("", to: "plain")
        let failing = try TemporaryFile(in: scratch.path)
        do {
            try failing.commit(to: scratch.path + "/plain/x")
            Issue.record("a file was put below a file")
        } catch {
            #expect(error.code == .notDirectory)
        }
        #expect(try scratch.names() == ["plain", "sub"])
    }

    @Test("A file whose bytes are buffered is made when they are too many, or at its end")
    func buffered() throws {
        var file = try TemporaryFile(in: scratch.path, buffering: 10)
        try file.write(Array("0123456789".utf8))
        #expect(try scratch.names().isEmpty)
        try file.write(Array("abc".utf8))
        try file.write(Array("de".utf8))
        #expect(try scratch.names().count == 1)
        try file.commit(to: scratch.path + "/a")
        #expect(try scratch.read("a") == "0123456789abcde")

        var small = try TemporaryFile(in: scratch.path, buffering: 10)
        try small.write(Array("b".utf8))
        try small.commit(to: scratch.path + "/b")
        #expect(try scratch.read("b") == "b")
        _ = try TemporaryFile(in: scratch.path, buffering: 10).path
        #expect(try scratch.names() == ["a", "b"])
    }

    @Test("A name that stands for the content stays with who has it, unless the length differs")
    func content() throws {
        func commit(_ text: String) throws {
            let file = try TemporaryFile(in: scratch.path, buffering: 10)
            try file.commit(
                toContent: scratch.path + "/ab/name",
                bytes: text.utf8.count,
                appending: Array(text.utf8).span
            )
        }
        try commit("first")
        #expect(try scratch.read("ab/name") == "first")
        try commit("later")
        #expect(try scratch.read("ab/name") == "first")
        try scratch.write("cut", to: "ab/name")
        try commit("later")
        #expect(try scratch.read("ab/name") == "later")
        #expect(try scratch.names() == ["ab"])
    }

    @Test("Several threads give files their names in folders that are missing")
    func missingFolders() async throws {
        let path = scratch.path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<400 {
                group.addTask {
                    let file = try TemporaryFile(in: path, buffering: 10)
                    try file.commit(
                        toContent: "\(path)/\(index / 4)/\(index)",
                        bytes: 1,
                        appending: [1].span
                    )
                }
            }
            try await group.waitForAll()
        }
        #expect(try scratch.names().count == 100)
    }

    @Test("A durable commit replaces the file that had the name")
    func durable() throws {
        try scratch.write("old", to: "a")
        var file = try TemporaryFile(in: scratch.path)
        try file.write(Array("new".utf8))
        try file.commitDurably(to: scratch.path + "/a")
        #expect(try scratch.read("a") == "new")
        try Files.syncFileSystem(containing: scratch.path)
    }

    @Test("A full disk is told as such")
    func full() async {
        // /dev/full takes no byte and says ENOSPC, as a full disk does.
        await #expect(processExitsWith: .exitCode(3)) {
            let device = try #require(FileHandle(forWritingAtPath: "/dev/full"))
            dup2(device.fileDescriptor, 1)
            var writer = StreamWriter(.output, capacity: 0)
            do { try writer.write("x") } catch let error as SystemError {
                if error.code == .diskFull, error.message.contains("no space is left") { exit(3) }
            }
        }
    }
}

@Suite("Copies and whole folders")
struct FileTreeTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test("A copy has the bytes and the mode that is asked for, and takes no name from another")
    func copy() throws {
        for size in [0, 1, 3_000_000] {
            let bytes = [UInt8]((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            let from = try scratch.write(bytes, as: "from-\(size)")
            try Files.setPermissions(from, to: 0o400)
            let target = scratch.file("to-\(size)")
            try Files.copy(from, to: target, permissions: 0o604)
            #expect(try scratch.bytes(of: "to-\(size)") == bytes)
            #expect(try FileStatus(of: target).permissions == 0o604)
            let error = #expect(throws: SystemError.self) {
                try Files.copy(from, to: target, permissions: 0o604)
            }
            #expect(error?.code == .exists)
        }
        // A file of another file system, which may not know how to copy by itself.
        try Files.copy("/proc/version", to: scratch.file("version"), permissions: 0o644)
        #expect(try scratch.read("version").hasPrefix("Linux"))
    }

    @Test("Dates are what they are set to")
    func dates() throws {
        let file = try scratch.write([1], as: "file")
        let moment = WallTime(nanosecondsSince1970: 2_000_000_000_123_456_789)
        try Files.setDates(file, to: moment)
        let status = try FileStatus(of: file)
        #expect(status.modifiedNanoseconds == moment.nanosecondsSince1970)
        #expect(throws: SystemError.self) { try Files.setDates(file + "-none", to: moment) }
    }

    @Test("Two folders change their names, and none is lost where one is missing")
    func exchange() throws {
        try scratch.write("a", to: "a/file")
        try scratch.write("b", to: "b/file")
        try Files.exchange(scratch.file("a"), with: scratch.file("b"))
        #expect(try scratch.read("a/file") == "b")
        #expect(try scratch.read("b/file") == "a")
        #expect(throws: SystemError.self) {
            try Files.exchange(scratch.file("a"), with: scratch.file("none"))
        }
        #expect(scratch.files() == ["a/file", "b/file"])
    }

    @Test("A folder goes with all that is in it, and what its links lead to stays")
    func removeTree() throws {
        try scratch.write("kept", to: "kept/file")
        try scratch.write("", to: "tree/below/file")
        try FileManager.default.createSymbolicLink(
            atPath: scratch.file("tree/below/link"),
            withDestinationPath: scratch.file("kept")
        )
        try Files.removeTree(scratch.file("tree"))
        #expect(try scratch.names() == ["kept"])
        #expect(scratch.files() == ["kept/file"])
    }
}
