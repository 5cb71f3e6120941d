import Foundation
import GearboxIndex
import GearboxURL

/// From a URL as text to the answer, each kind alone and all of them mixed.
struct AnswerRates {
    private let reader: IndexReader
    private let index: TypicalIndex
    private static let count = 100_000

    init(index path: String, of index: TypicalIndex) throws {
        reader = try IndexReader(path: path)
        self.index = index
    }

    private enum Kind: String, CaseIterable {
        case exact, reuse, alias, miss

        func matches(_ answer: Answer) -> Bool {
            switch (self, answer) {
            case (.exact, .exact), (.reuse, .reuse), (.alias, .alias), (.miss, .miss): true
            default: false
            }
        }
    }

    func report() throws {
        var all: [(url: String, kind: Kind)] = []
        var random = Mix(state: 7)
        for kind in Kind.allCases {
            let urls = (0..<Self.count).map { _ in
                (url: url(kind, &random), kind: kind)
            }
            all += urls
            try measure(kind.rawValue, urls)
        }
        for offset in all.indices { all.swapAt(offset, Int(random.next() % UInt64(all.count))) }
        try measure("all four, mixed", Array(all.prefix(2 * Self.count)))
    }

    private func measure(_ name: String, _ urls: [(url: String, kind: Kind)]) throws {
        // What the system has not read yet is not what is measured.
        for (url, kind) in urls {
            let answer = try reader.answer(to: reader.request(for: url))
            precondition(kind.matches(answer), "\(url) is no \(kind): \(answer)")
        }
        var nanoseconds: [UInt64] = []
        nanoseconds.reserveCapacity(urls.count)
        for (url, _) in urls {
            let start = DispatchTime.now().uptimeNanoseconds
            _ = try reader.answer(to: reader.request(for: url))
            nanoseconds.append(DispatchTime.now().uptimeNanoseconds - start)
        }
        nanoseconds.sort()
        var best = Double.infinity
        for _ in 0..<3 {
            let start = clock()
            for (url, _) in urls { _ = try reader.answer(to: reader.request(for: url)) }
            best = min(best, Double(clock() - start) / Double(CLOCKS_PER_SEC))
        }
        print(
            "  "
                + String(
                    format: "%@%8.1f  %8.1f   %12.0f   goal 20, 50000",
                    name.padding(toLength: 30, withPad: " ", startingAt: 0),
                    Double(nanoseconds[urls.count / 2]) / 1_000,
                    Double(nanoseconds[urls.count / 100 * 99]) / 1_000,
                    Double(urls.count) / best
                )
        )
    }

    private func url(_ kind: Kind, _ random: inout Mix) -> String {
        func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        // Every third source has aliases; the last one may lack some variants.
        let source = pick(index.sourceCount / 3 - 1) * 3 + 3
        let mode = TypicalIndex.modes[pick(3)]
        let size = TypicalIndex.sizes[pick(3)]
        let host = "https://p\(1 + pick(4)).music.126.net"
        let path = TypicalIndex.path(source)
        switch kind {
        case .exact:
            return host + path + "?imageView=1&param=\(size - 5)\(mode)\(size - 5)&quality=89"
        case .reuse:
            // Gears that no picture has, one of them not square.
            let wanted = ["60\(mode)60", "180\(mode)180", "500\(mode)500", "120\(mode)60"][pick(4)]
            return host + path + "?imageView=1&param=\(wanted)&quality=80"
        case .alias: return host + TypicalIndex.alias(source, mode, size)
        case .miss:
            return pick(2) == 0
                ? host + path + "?imageView=1&param=4000\(mode)4000&quality=95"
                : host + TypicalIndex.path(index.sourceCount + source) + "?imageView=1&param=90x90"
        }
    }
}
