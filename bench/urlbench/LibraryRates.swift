import Foundation
import GearboxURL

/// URLs a second, on one core, by the ways there are to canonicalise them.
struct LibraryRates {
    private let canonicalizer = Canonicalizer(
        rules: CanonicalRules(origins: [
            OriginRules(name: "music", hosts: (1...4).map { "p\($0).music.126.net" })
        ])
    )
    private var bytes: [UInt8] = []
    private var ranges: [Range<Int>] = []
    private let texts: [String]

    init(of count: Int) {
        var urls = TypicalURLs()
        for _ in 0..<count {
            let start = bytes.count
            urls.append(to: &bytes)
            ranges.append(start..<bytes.count)
        }
        let bytes = bytes
        texts = ranges.map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    func report() {
        // A comparison of two ways that do not do the same would say nothing.
        let same = texts.count { text in
            (try? canonicalizer.request(for: text))?.canonical == ArticlesWay.canonical(text)
        }
        let alone = rate(writeAll)
        let requests = rate(requestAll)
        let components = rate(times: 3) {
            texts.reduce(0) { $0 + (ArticlesWay.canonical($1)?.utf8.count ?? 0) }
        }
        print(
            """
            library, one core, \(texts.count) typical NOS URLs, the best of several runs in CPU time
              canonical URLs a second        \(padded(alone))   goal 2000000
              whole requests a second        \(padded(requests))
              with URLComponents a second    \(padded(components))   \(same) of \(texts.count) the same
              canonical URLs to URLComponents       \(ratio(alone, components))   goal 5
              whole requests to URLComponents       \(ratio(requests, components))
            """
        )
    }

    /// The way of `gearbox canonicalize`.
    private func writeAll() -> Int {
        var output: [UInt8] = []
        output.reserveCapacity(1 << 20)
        var sum = 0
        for range in ranges {
            let url = bytes.span.extracting(range)
            let capacity = Canonicalizer.canonicalCapacity(of: url)
            output.append(addingCapacity: capacity) { span in
                try? canonicalizer.writeCanonical(of: url, to: &span)
            }
            if output.count >= 1 << 19 {
                sum += output.count
                output.removeAll(keepingCapacity: true)
            }
        }
        return sum + output.count
    }

    /// The way of a run and of a client.
    private func requestAll() -> Int {
        ranges.reduce(0) { sum, range in
            let request = try? canonicalizer.request(for: bytes.span.extracting(range))
            return sum + (request?.canonical.utf8.count ?? 0)
        }
    }

    /// The best of several runs: other processes share the machine.
    private func rate(times: Int = 15, _ body: () -> Int) -> Double {
        var best = Double.infinity
        for _ in 0..<times {
            let start = clock()
            precondition(body() > 0, "nothing was canonicalised")
            best = min(best, Double(clock() - start) / Double(CLOCKS_PER_SEC))
        }
        return Double(ranges.count) / best
    }

    private func padded(_ rate: Double) -> String {
        let text = String(Int(rate))
        return String(repeating: " ", count: max(0, 12 - text.count)) + text
    }

    private func ratio(_ a: Double, _ b: Double) -> String {
        let tenths = Int((a / b * 10).rounded())
        return padded(Double(tenths / 10)).dropFirst(7) + "." + String(tenths % 10)
    }
}
