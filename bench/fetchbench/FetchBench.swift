import Fetching
import Foundation
import Store
import Synchronization
import System
import Transfer

/// Fetches a list of URLs into a store of originals, as a run does and with nothing around it.
///
///     fetchbench FOLDER LIST [NAME=VALUE]...
///
/// LIST is a file with a URL a line. Names: `connections`, `connectionsPerHost`, `bytesPerSecond`,
/// `http2` (0 or 1), `caFile`. Prints what became of the URLs, and fails when one was not fetched.
@main
enum FetchBench {
    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 2, let configuration = configuration(words.dropFirst(2)) else {
            FileHandle.standardError.write(
                Data("usage: fetchbench FOLDER LIST [NAME=VALUE]...\n".utf8)
            )
            exit(2)
        }
        // As the program does.
        ProcessMemory.boundArenas()
        let originals = try Store(root: words[0], folder: "originals")
        let files = BlockingThreads(name: "files", count: 2)
        let fetcher = Fetcher(configuration: configuration, originals: originals, files: files)
        let window = configuration.transfer.transfers + 4
        let ended = try await withTaskExecutorPreference(files) {
            try await fetchAll(words[1], by: fetcher, window: window)
        }
        fetcher.shutDown()
        files.shutDown()
        print("fetched \(ended.fetched) failed \(ended.failed) bytes \(ended.bytes)")
        if ended.failed > 0 { exit(1) }
    }

    private struct Ended {
        var fetched = 0
        var failed = 0
        var bytes = 0

        mutating func add(_ other: Ended) {
            fetched += other.fetched
            failed += other.failed
            bytes += other.bytes
        }

        mutating func add(_ result: FetchResult) {
            guard case .fetched(let original) = result else {
                if failed == 0 { FileHandle.standardError.write(Data("\(result)\n".utf8)) }
                return failed += 1
            }
            fetched += 1
            bytes += original.bytes
        }
    }

    /// So many at once take one URL after the other.
    private static func fetchAll(
        _ list: String,
        by fetcher: Fetcher,
        window: Int
    ) async throws -> Ended {
        let urls = URLList(try FileReader(list))
        return await withTaskGroup(of: Ended.self) { group in
            for _ in 0..<window {
                group.addTask {
                    var ended = Ended()
                    while let url = urls.next() {
                        ended.add(await fetcher.fetch(FetchRequest(url: url, path: url)))
                    }
                    return ended
                }
            }
            return await group.reduce(into: Ended()) { $0.add($1) }
        }
    }

    private static func configuration(_ words: ArraySlice<String>) -> FetchConfiguration? {
        var configuration = FetchConfiguration()
        configuration.transfer.allowPrivateAddresses = true
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1).map { String($0) }
            guard parts.count == 2 else { return nil }
            switch (parts[0], Int(parts[1])) {
            case ("connections", let count?): configuration.transfer.transfers = count
            case ("connectionsPerHost", let count?):
                configuration.transfer.transfersPerHost = count
            case ("bytesPerSecond", let count?): configuration.transfer.bytesPerSecond = count
            case ("http2", let isOn?): configuration.transfer.http2 = isOn != 0
            case ("caFile", _): configuration.transfer.caFile = parts[1]
            default: return nil
            }
        }
        return configuration
    }
}

/// The lines of a file, for whoever asks next.
private final class URLList: Sendable {
    private let lines: Mutex<LineReader>

    init(_ reader: consuming FileReader) { lines = Mutex(LineReader(reader)) }

    func next() -> String? {
        lines.withLock { lines in
            while !lines.advance() {
                guard (try? lines.fill()) == true else { return nil }
            }
            return String(decoding: lines.bytes[lines.line], as: UTF8.self)
        }
    }
}
