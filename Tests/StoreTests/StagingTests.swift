import Foundation
import Store
import TestSupport
import Testing

@Suite("A staged file")
struct StagingTests {
    let scratch: Scratch
    let store: Store

    init() throws {
        scratch = try Scratch()
        store = try Store(root: scratch.path)
    }

    private func stage(_ text: String) throws -> StagedFile {
        try store.stage(Array(text.utf8).span, fileExtension: "webp")
    }

    @Test("lies in the temporary folder until it is adopted, under the name that it would have had")
    func adopted() throws {
        let staged = try stage("abc")
        let name = try #require(staged.temporaryName)
        #expect(scratch.files() == ["tmp/\(name)"])
        let file = try store.adopt(staged)
        #expect(file == (try store.add(Array("abc".utf8).span, fileExtension: "webp")))
        #expect(file.file == store.name(of: staged))
        #expect(scratch.files() == [file.file])
    }

    @Test("is not written where the store has its bytes, and leaves nothing where it has got them")
    func held() throws {
        let twice = try [stage("abc"), stage("abc")]
        let file = try store.adopt(twice[0])
        let inode = try FileManager.default.attributesOfItem(atPath: store.path(of: file.file))
        #expect(try store.adopt(twice[1]) == file)
        let third = try stage("abc")
        #expect(third.temporaryName == nil)
        #expect(try store.adopt(third) == file)
        let again = try FileManager.default.attributesOfItem(atPath: store.path(of: file.file))
        #expect(inode[.systemFileNumber] as? Int == again[.systemFileNumber] as? Int)
        #expect(scratch.files() == [file.file])
    }

    @Test(
        "is refused where what is said of it leads out of the temporary folder or is not so",
        arguments: [
            { $0.temporaryName = "../secret" }, { $0.temporaryName = "" },
            { $0.temporaryName = ".." }, { $0.temporaryName = "nothing" },
            { $0.temporaryName = nil }, { $0.digest = "../" + $0.digest.dropFirst(3) },
            { $0.digest = String($0.digest.reversed()) }, { $0.digest = "" },
            { $0.fileExtension = "../x" }, { $0.fileExtension = "" }, { $0.bytes += 1 },
            { $0.bytes = 0 },
        ] as [@Sendable (inout StagedFile) -> Void]
    )
    func untrusted(change: @Sendable (inout StagedFile) -> Void) throws {
        try scratch.write("abc", to: "secret")
        var staged = try stage("abc")
        change(&staged)
        let error = #expect(throws: StoreError.self) { try store.adopt(staged) }
        let isGone = staged.temporaryName == "nothing"
        #expect(error?.code == (isGone ? .stagedLost : .notAsStaged))
        #expect(error?.stopsTheRun == false)
        #expect(try scratch.read("secret") == "abc")
        #expect(scratch.files().filter { $0.hasPrefix("store/") }.isEmpty)
    }

    @Test("is refused where it is a link")
    func link() throws {
        try scratch.write("abc", to: "secret")
        let staged = try stage("abc")
        let path = scratch.path + "/tmp/" + (try #require(staged.temporaryName))
        for isSymbolic in [true, false] {
            try FileManager.default.removeItem(atPath: path)
            if isSymbolic {
                try FileManager.default.createSymbolicLink(
                    atPath: path,
                    withDestinationPath: scratch.file("secret")
                )
            } else {
                try FileManager.default.linkItem(atPath: scratch.file("secret"), toPath: path)
            }
            let error = #expect(throws: StoreError.self) { try store.adopt(staged) }
            #expect(error?.code == .notAsStaged)
        }
        #expect(try scratch.read("secret") == "abc")
    }

    @Test("goes with its process, and no other's does")
    func cleaned() throws {
        try scratch.write("a", to: "tmp/12-abc")
        try scratch.write("b", to: "tmp/123-abc")
        try store.removeTemporaryFiles(ofProcess: 12)
        #expect(scratch.files() == ["tmp/123-abc"])
        try store.removeTemporaryFiles(ofProcess: 4)
        #expect(scratch.files() == ["tmp/123-abc"])
    }
}
