import Foundation
import Store
import TestSupport
import Testing

@Suite("Files outside the store")
struct OutsideFileTests {
    let scratch: Scratch
    let store: Store
    let folder: String

    init() throws {
        scratch = try Scratch()
        store = try Store(root: scratch.path + "/cache")
        folder = scratch.path + "/mirror"
        try scratch.write("abc", to: "mirror/a/b.jpg")
        try scratch.write("secret", to: "secret.jpg")
    }

    private func failure(_ path: String) -> StoreError.Code? {
        do {
            _ = try OutsideFile(path, in: folder).bytes
            return nil
        } catch {
            return error.code
        }
    }

    @Test("A file is copied in with its digest")
    func copy() throws {
        let file = try OutsideFile("/a/b.jpg", in: folder)
        #expect(file.bytes == 3)
        var writer = try store.writer()
        try file.copy(into: &writer)
        #expect(try writer.finish(fileExtension: "jpg").bytes == 3)
    }

    @Test("Dots and links that lead out are refused, links that stay inside are not")
    func outside() throws {
        let manager = FileManager.default
        try manager.createSymbolicLink(
            atPath: folder + "/out.jpg",
            withDestinationPath: scratch.path + "/secret.jpg"
        )
        try manager.createSymbolicLink(atPath: folder + "/up", withDestinationPath: "..")
        try manager.createSymbolicLink(atPath: folder + "/in.jpg", withDestinationPath: "a/b.jpg")
        #expect(failure("../secret.jpg") == .outside)
        #expect(failure("/a/../../secret.jpg") == .outside)
        #expect(failure("/a/../a/b.jpg") == .outside)
        #expect(failure("out.jpg") == .outside)
        #expect(failure("up/secret.jpg") == .outside)
        #expect(failure("in.jpg") == nil)
        #expect(failure("/a//./b.jpg") == nil)
    }

    @Test("A folder whose name begins like the mirror's is not inside it")
    func sibling() throws {
        try scratch.write("x", to: "mirror-other/x.jpg")
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/x.jpg",
            withDestinationPath: scratch.path + "/mirror-other/x.jpg"
        )
        #expect(failure("x.jpg") == .outside)
    }

    @Test("What is no file is not found")
    func notFound() throws {
        #expect(failure("a") == .notFound)
        #expect(failure("a/b.jpg/") == .notFound)
        #expect(failure("a/b.jpg/c") == .notFound)
        #expect(failure("none.jpg") == .notFound)
        #expect(failure("") == .notFound)
        #expect(failure("/") == .notFound)
        #expect(failure("a/b.jpg\0.png") == .notFound)
        #expect(failure(String(repeating: "x", count: 5000)) == .notFound)
        _ = try Program.run("/usr/bin/mkfifo", [folder + "/pipe"])
        #expect(failure("pipe") == .notFound)
    }

    @Test("A folder of originals that is not there is told from a missing file")
    func noFolder() {
        do {
            _ = try OutsideFile("a", in: scratch.path + "/nowhere").bytes
            Issue.record("a folder that is not there was opened")
        } catch {
            #expect(error.code == .noFolder)
            #expect(error.subject.hasSuffix("/nowhere"))
        }
    }

    @Test("The stamp changes with the file")
    func stamp() throws {
        let first = try OutsideFile("a/b.jpg", in: folder).stamp
        #expect(try OutsideFile("a/b.jpg", in: folder).stamp == first)
        try scratch.write("abd", to: "mirror/a/b.jpg")
        #expect(try OutsideFile("a/b.jpg", in: folder).stamp != first)
    }

    @Test("A file that grows while it is read is not taken")
    func changing() throws {
        let file = try OutsideFile("a/b.jpg", in: folder)
        try scratch.write("abcdef", to: "other")
        let handle = try #require(FileHandle(forWritingAtPath: folder + "/a/b.jpg"))
        handle.seekToEndOfFile()
        handle.write(Data("def".utf8))
        var writer = try store.writer()
        do {
            try file.copy(into: &writer)
            Issue.record("a changing file was taken")
        } catch {
            #expect(error.code == .changing)
        }
    }
}
