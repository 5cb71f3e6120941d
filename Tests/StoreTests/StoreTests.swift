import Digest
import Foundation
import Store
import TestSupport
import Testing

@Suite("The store")
struct StoreTests {
    let scratch: Scratch
    let store: Store

    init() throws {
        scratch = try Scratch()
        store = try Store(root: scratch.path)
    }

    private static let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    private func add(_ text: String, _ suffix: String = "webp") throws -> StoredFile {
        try store.add(Array(text.utf8).span, fileExtension: suffix)
    }

    @Test("A name that it does not give is none of its files'")
    func foreignNames() throws {
        #expect(store.names(try add("abc").file))
        for name in [
            "store/ba/\(Self.abc).webp/..", "store/../ba/\(Self.abc).webp", "/etc/passwd", "",
            "store/bb/\(Self.abc).webp", "originals/ba/\(Self.abc).webp", "store/ba/ba.webp",
            "store/ba/\(Self.abc)", "store/ba/\(Self.abc.uppercased()).webp",
        ] {
            #expect(!store.names(name), "\(name)")
        }
    }

    @Test("A file is named by the SHA-256 of its bytes and its extension")
    func name() throws {
        let file = try add("abc")
        #expect(file.file == "store/ba/\(Self.abc).webp")
        #expect(file.digest == Self.abc)
        #expect(file.bytes == 3)
        #expect(try scratch.read(file.file) == "abc")
        #expect(store.holds(file.file, bytes: 3))
        #expect(!store.holds(file.file, bytes: 4))
        try store.sync()
    }

    @Test("The same bytes twice are one file, and nothing temporary stays")
    func twice() throws {
        let first = try add("abc")
        let inode = try FileManager.default.attributesOfItem(atPath: store.path(of: first.file))
        #expect(try add("abc") == first)
        let again = try FileManager.default.attributesOfItem(atPath: store.path(of: first.file))
        #expect(inode[.systemFileNumber] as? Int == again[.systemFileNumber] as? Int)
        #expect(scratch.files() == [first.file])
    }

    @Test("A file of the wrong size is replaced, an empty one counts as missing")
    func wrongSize() throws {
        let file = try add("abc")
        try Data().write(to: URL(fileURLWithPath: store.path(of: file.file)))
        #expect(!store.holds(file.file, bytes: 0))
        #expect(!store.holds(file.file, bytes: 3))
        #expect(try add("abc") == file)
        #expect(try scratch.read(file.file) == "abc")
    }

    @Test("Many threads may add equal bytes at once")
    func concurrent() async throws {
        let store = store
        let files = try await withThrowingTaskGroup(of: StoredFile.self) { group in
            for index in 0..<200 {
                group.addTask {
                    try store.add(Array("picture \(index % 5)".utf8).span, fileExtension: "png")
                }
            }
            return try await group.reduce(into: Set<StoredFile>()) { $0.insert($1) }
        }
        #expect(files.count == 5)
        #expect(scratch.files() == files.map(\.file).sorted())
    }

    @Test("Bytes that come in pieces are hashed, counted and sniffed as they come")
    func pieces() throws {
        let whole = Array("GIF89a".utf8) + (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        var writer = try store.writer()
        for byte in whole { try writer.write([byte].span) }
        #expect(writer.bytes == 1006)
        #expect(writer.head == Array(whole.prefix(FileFormat.headLength)))
        #expect(writer.format == .gif)
        let file = try writer.finish(fileExtension: writer.format.fileExtension)
        #expect(file.digest == (try ContentDigest(of: whole.span, .sha256)).hex)
        #expect(store.holds(file.file, bytes: 1006))
    }

    @Test("A writer that is dropped leaves nothing")
    func dropped() throws {
        do {
            var writer = try store.writer()
            let large = [UInt8](repeating: 1, count: 1 << 20)
            try writer.write(large.span)
            #expect(scratch.files().count == 1)
        }
        #expect(scratch.files().isEmpty)
    }

    @Test(
        "A promised digest is held against the bytes",
        arguments: [
            "md5:900150983cd24fb0d6963f7d28e17f72", "sha1:a9993e364706816aba3e25717850c26c9cd0d89d",
            "sha256:\(abc)",
        ]
    )
    func promised(digest: String) throws {
        var good = try store.writer(expecting: ContentDigest(digest))
        try good.write(Array("abc".utf8).span)
        #expect(try good.finish(fileExtension: "bin").digest == Self.abc)

        var bad = try store.writer(expecting: ContentDigest(digest))
        try bad.write(Array("abd".utf8).span)
        do {
            _ = try bad.finish(fileExtension: "bin")
            Issue.record("other bytes were taken")
        } catch {
            #expect(error.code == .digestMismatch)
            #expect(error.message.contains(digest))
        }
        #expect(scratch.files() == ["store/ba/\(Self.abc).bin"])
    }

    @Test(
        "Bytes that are likely new are named once, however often they come",
        arguments: [1, 300_000]
    )
    func likelyNew(count: Int) throws {
        let bytes = [UInt8](repeating: 7, count: count)
        var files: [StoredFile] = []
        for _ in 0..<2 {
            var writer = try store.writer(isLikelyNew: true)
            try writer.write(bytes.span.extracting(0..<count / 2))
            let rest = bytes.span.extracting(count / 2..<count)
            files.append(try writer.finish(appending: rest, fileExtension: "bin"))
        }
        #expect(files[0] == files[1])
        #expect(scratch.files() == [files[0].file])
        let known = try store.add(bytes.span, fileExtension: "bin")
        #expect(known == files[0])
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/tmp").isEmpty)
    }

    @Test("A file of another store is linked, not copied")
    func link() throws {
        let originals = try Store(root: scratch.path, folder: "originals")
        let original = try originals.add(Array("abc".utf8).span, fileExtension: "jpg")
        #expect(original.file == "originals/ba/\(Self.abc).jpg")
        let file = try store.link(original, from: originals)
        #expect(file.file == "store/ba/\(Self.abc).jpg")
        let attributes = try FileManager.default.attributesOfItem(
            atPath: store.path(of: file.file)
        )
        #expect(attributes[.referenceCount] as? Int == 2)
        #expect(try store.link(original, from: originals) == file)
        #expect(scratch.files() == [original.file, file.file])
    }

    @Test("Linking puts a file of the wrong size right, and misses what is not there")
    func linkRepairs() throws {
        let originals = try Store(root: scratch.path, folder: "originals")
        let original = try originals.add(Array("abc".utf8).span, fileExtension: "jpg")
        try scratch.write("a", to: "store/ba/\(Self.abc).jpg")
        #expect(try scratch.read(store.link(original, from: originals).file) == "abc")
        #expect(scratch.files().count == 2)

        try originals.remove(original.file)
        try store.remove("store/ba/\(Self.abc).jpg")
        let error = #expect(throws: StoreError.self) {
            try store.link(original, from: originals)
        }
        #expect(error?.code == .notFound)
    }

    @Test("The sweep takes what dead writers left and leaves what this process is writing")
    func sweep() throws {
        try scratch.write("left", to: "tmp/999999999-abc")
        var writer = try store.writer()
        let large = [UInt8](repeating: 65, count: 1 << 20)
        try writer.write(large.span)
        try store.sweepTemporaryFiles()
        #expect(scratch.files().count == 1)
        let file = try writer.finish(fileExtension: "jpg")
        #expect(scratch.files() == [file.file])
        #expect(store.holds(file.file, bytes: 1 << 20))
    }

    @Test("Every file is visited in the order of names")
    func visit() throws {
        let added = try (0..<50).map { try add("file \($0)").file }.sorted()
        var seen: [String] = []
        try store.forEachFile { file, bytes in
            #expect(bytes == 6 || bytes == 7)
            seen.append(file)
        }
        #expect(seen == added)
    }

    @Test("A store that cannot be made says so")
    func unusable() throws {
        try scratch.write("", to: "plain")
        let error = #expect(throws: StoreError.self) { try Store(root: scratch.path + "/plain") }
        #expect(error?.subject.hasPrefix(scratch.path) == true)
        #expect(error?.cause != nil)
    }
}
