import Foundation
import GearboxURL

/// Measures canonicalisation through the library against the way with URLComponents, and writes
/// URLs for the filter to be measured with.
///
///     urlbench library [COUNT]     URLs a second on one core, both ways on the same URLs
///     urlbench write COUNT         so many typical URLs, a line each, to standard output
@main
enum URLBench {
    static func main() {
        let words = CommandLine.arguments.dropFirst()
        let count = words.dropFirst().first.flatMap { Int($0) }
        switch (words.first, count) {
        case ("library", let count): library(count ?? 100_000)
        case ("write", let count?): write(count)
        default:
            FileHandle.standardError.write(
                Data("usage: urlbench library [COUNT] | urlbench write COUNT\n".utf8)
            )
            exit(2)
        }
    }

    private static func write(_ count: Int) {
        var urls = TypicalURLs()
        var bytes: [UInt8] = []
        for _ in 0..<count {
            urls.append(to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
            if bytes.count >= 1 << 20 {
                FileHandle.standardOutput.write(Data(bytes))
                bytes.removeAll(keepingCapacity: true)
            }
        }
        FileHandle.standardOutput.write(Data(bytes))
    }

    private static func library(_ count: Int) {
        var generator = TypicalURLs()
        var bytes: [UInt8] = []
        var ranges: [Range<Int>] = []
        for _ in 0..<count {
            let start = bytes.count
            generator.append(to: &bytes)
            ranges.append(start..<bytes.count)
        }
        let texts = ranges.map { String(decoding: bytes[$0], as: UTF8.self) }
        let canonicalizer = Canonicalizer(rules: CanonicalRules())

        let canonical = rate(count) {
            var output: [UInt8] = []
            output.reserveCapacity(1 << 20)
            var sum = 0
            for range in ranges {
                let url = bytes.span.extracting(range)
                let capacity = Canonicalizer.canonicalCapacity(of: url)
                output.append(addingCapacity: capacity) { span in
                    try? canonicalizer.writeCanonical(of: url, to: &span)
                }
                sum += output.count
                if output.count >= 1 << 19 { output.removeAll(keepingCapacity: true) }
            }
            return sum
        }
        let request = rate(count) {
            var sum = 0
            for range in ranges {
                guard let request = try? canonicalizer.request(for: bytes.span.extracting(range))
                else { continue }
                sum += request.canonical.utf8.count
            }
            return sum
        }
        let article = rate(count, times: 2) {
            var sum = 0
            for text in texts { sum += ArticlesWay.canonical(text)?.utf8.count ?? 0 }
            return sum
        }
        print("canonical URLs: \(canonical) a second")
        print("whole requests: \(request) a second")
        print("URLComponents: \(article) a second")
    }

    /// The best of several runs, in CPU time: other processes share the machine.
    private static func rate(_ count: Int, times: Int = 15, _ body: () -> Int) -> Int {
        var best = Double.infinity
        for _ in 0..<times {
            let start = clock()
            precondition(body() > 0, "nothing was canonicalised")
            best = min(best, Double(clock() - start) / Double(CLOCKS_PER_SEC))
        }
        return Int(Double(count) / best)
    }
}
