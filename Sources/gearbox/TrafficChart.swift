internal import Prewarm

/// A bar chart of requests in text, the gears of two ladders beside it.
enum TrafficChart {
    /// What the bars are of: where each of them ends.
    enum Scale {
        /// About thirds of an octave, from 16 pixels on.
        case sizes
        /// Fives.
        case qualities

        var ends: [Int] {
            switch self {
            case .sizes:
                [
                    16, 20, 25, 32, 40, 50, 64, 80, 100, 128, 160, 200, 256, 320, 400, 512, 640,
                    800, 1_024, 1_280, 1_600, 2_048, 2_560, 3_200, 4_096,
                ]
            case .qualities: Array(stride(from: 5, through: 100, by: 5))
            }
        }

        var title: String { self == .sizes ? "size" : "quality" }
    }

    /// A bar, and what stands beside it.
    private struct Row {
        let range: ClosedRange<Int>
        let hits: Int
        let today: String
        let best: String

        init(_ range: ClosedRange<Int>, _ hits: [Int], _ pair: LadderComparison.Pair) {
            self.range = range
            self.hits = hits[range].reduce(0, +)
            today = Self.text(pair.today.gears, in: range)
            best = Self.text(pair.best?.gears ?? [], in: range)
        }

        var isEmpty: Bool { hits == 0 && today.isEmpty && best.isEmpty }

        private static func text(_ gears: [Int], in range: ClosedRange<Int>) -> String {
            gears.filter(range.contains).map(String.init).joined(separator: " ")
        }
    }

    private static let width = 40

    /// Draws it.
    ///
    /// - Parameters:
    ///   - hits: the requests by value.
    ///   - scale: the values' scale.
    ///   - pair: whose gears stand beside the bars.
    /// - Returns: a head and a line for each bar, from the first that says anything to the last.
    static func lines(_ hits: [Int], _ scale: Scale, _ pair: LadderComparison.Pair) -> [String] {
        let starts = [1] + scale.ends.map { $0 + 1 }
        var rows = zip(starts, scale.ends).map { Row($0...$1, hits, pair) }
        while rows.last?.isEmpty == true { rows.removeLast() }
        rows = Array(rows.drop(while: \.isEmpty))
        let most = max(1, rows.map(\.hits).max() ?? 1)
        let digits = max(8, String(most).count)
        let todayWidth = max(5, rows.map(\.today.count).max() ?? 0)
        func line(_ range: String, _ hits: String, _ bar: Int, _ today: String, _ best: String)
            -> String
        {
            let cells = [
                range.padded(to: 9), hits.paddedLeft(to: digits),
                String(repeating: "#", count: bar).padded(to: width),
                today.padded(to: todayWidth), best,
            ]
            return "  " + cells.joined(separator: "  ").trimmedEnd
        }
        return [line(scale.title, "requests", 0, "today", "best")]
            + rows.map { row in
                let bar = row.hits == 0 ? 0 : max(1, row.hits * width / most)
                let range = "\(row.range.lowerBound)-\(row.range.upperBound)"
                return line(range, String(row.hits), bar, row.today, row.best)
            }
    }
}

extension String {
    /// With blanks before, for a column of numbers.
    fileprivate func paddedLeft(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }

    fileprivate var trimmedEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
