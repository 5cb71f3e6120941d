import Fetching
import Foundation
import Store
import System
import Testing
import Transfer

/// A store of originals and a mirror in a folder that goes away with the value.
final class FetchScene: Sendable {
    let path: String
    let originals: Store
    let files = BlockingThreads(name: "files", count: 2)

    init() throws {
        let folder = FileManager.default.temporaryDirectory.path
        path = folder + "/gearbox-fetching-" + UUID().uuidString
        originals = try Store(root: path + "/cache", folder: "originals")
        try FileManager.default.createDirectory(
            atPath: path + "/mirror",
            withIntermediateDirectories: true
        )
    }

    deinit {
        files.shutDown()
        try? FileManager.default.removeItem(atPath: path)
    }

    var mirror: String { path + "/mirror" }

    func put(_ bytes: [UInt8], inMirror name: String) throws {
        let target = URL(fileURLWithPath: mirror + "/" + name)
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: target)
    }

    /// A fetcher for the loopback interface with short waits.
    func fetcher(_ change: (inout FetchConfiguration) -> Void = { _ in }) -> Fetcher {
        var configuration = FetchConfiguration()
        configuration.transfer.allowPrivateAddresses = true
        configuration.retry.delay = .milliseconds(10)
        configuration.transfer.firstPause = .milliseconds(10)
        change(&configuration)
        return Fetcher(configuration: configuration, originals: originals, files: files)
    }

    func bytes(_ original: Original) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: originals.path(of: original.file))))
    }

    /// Every file of the cache, also what is temporary.
    func cached() -> [String] {
        let walk = FileManager.default.enumerator(atPath: path + "/cache")
        var names: [String] = []
        while let name = walk?.nextObject() as? String {
            if walk?.fileAttributes?[.type] as? FileAttributeType == .typeRegular {
                names.append(name)
            }
        }
        return names.sorted()
    }
}

/// Bytes that begin and end as pictures of their format do; nobody decodes them here.
enum Picture {
    static func gif(_ count: Int = 100, filler: UInt8 = 0) -> [UInt8] {
        Array("GIF89a".utf8) + Array(repeating: filler, count: count - 7) + [0x3B]
    }

    static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(repeating: 0, count: 50)
        + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]
}

extension FetchResult {
    func fetched() throws -> Original {
        guard case .fetched(let original) = self else { throw Unexpected(result: self) }
        return original
    }

    func unchanged() throws -> Validators {
        guard case .unchanged(let validators) = self else { throw Unexpected(result: self) }
        return validators
    }

    var isTrusted: Bool {
        if case .trusted = self { true } else { false }
    }

    func gone() throws -> Gone {
        guard case .gone(let gone) = self else { throw Unexpected(result: self) }
        return gone
    }

    func failed() throws -> FetchError {
        guard case .failed(let error) = self else { throw Unexpected(result: self) }
        return error
    }

    struct Unexpected: Error { let result: FetchResult }
}

extension Original {
    /// As an earlier run has kept it.
    func held(age: Duration? = nil, promise: PromisedDigest? = nil) -> HeldOriginal {
        HeldOriginal(
            file: file,
            bytes: bytes,
            digest: digest,
            validators: validators,
            promise: promise,
            age: age
        )
    }
}
