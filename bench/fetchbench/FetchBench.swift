import Fetching
import Foundation
import Store
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

        mutating func add(_ result: FetchResult) {
            guard case .fetched(let original) = result else {
                if failed == 0 { FileHandle.standardError.write(Data("\(result)\n".utf8)) }
                return failed += 1
            }
            fetched += 1
            bytes += original.bytes
        }
    }

    private static func fetchAll(
        _ list: String,
        by fetcher: Fetcher,
        window: Int
    ) async throws -> Ended {
        var lines = LineReader(try FileReader(list))
        return try await withThrowingTaskGroup(of: FetchResult.self) { group in
            var ended = Ended()
            var inFlight = 0
            while try lines.fill() {
                while lines.advance() {
                    let url = String(decoding: lines.bytes[lines.line], as: UTF8.self)
                    if inFlight == window, let result = try await group.next() {
                        ended.add(result)
                        inFlight -= 1
                    }
                    group.addTask { await fetcher.fetch(FetchRequest(url: url, path: url)) }
                    inFlight += 1
                }
            }
            for try await result in group { ended.add(result) }
            return ended
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
