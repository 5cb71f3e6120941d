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

    private static let width = 40

    /// - Parameters:
    ///   - hits: the requests by value.
    ///   - scale: the values' scale.
    ///   - pair: whose gears stand beside the bars.
    static func lines(_ hits: [Int], _ scale: Scale, _ pair: LadderComparison.Pair) -> [String] {
        var start = 1
        var rows: [(range: ClosedRange<Int>, hits: Int, today: [Int], best: [Int])] = []
        for end in scale.ends {
            let range = start...end
            rows.append(
                (
                    range, hits[range].reduce(0, +), pair.today.gears.filter(range.contains),
                    (pair.best?.gears ?? []).filter(range.contains)
                )
            )
            start = end + 1
        }
        // From the first row that says anything to the last.
        let isEmpty = { (row: (range: ClosedRange<Int>, hits: Int, today: [Int], best: [Int])) in
            row.hits == 0 && row.today.isEmpty && row.best.isEmpty
        }
        while rows.last.map(isEmpty) == true { rows.removeLast() }
        rows = Array(rows.drop(while: isEmpty))
        let most = max(1, rows.map(\.hits).max() ?? 1)
        let digits = max(8, String(most).count)
        let todayWidth = max(5, rows.map { text($0.today).count }.max() ?? 0)
        let head = [
            scale.title.padded(to: 9), "requests".padded(to: digits), "".padded(to: width),
            "today".padded(to: todayWidth), "best",
        ]
        return ["  " + head.joined(separator: "  ")]
            + rows.map { row in
                let range =
                    row.range.count == 1
                    ? "\(row.range.lowerBound)" : "\(row.range.lowerBound)-\(row.range.upperBound)"
                let bar = row.hits == 0 ? 0 : max(1, row.hits * width / most)
                let cells = [
                    range.padded(to: 9), String(row.hits).paddedLeft(to: digits),
                    String(repeating: "#", count: bar).padded(to: width),
                    text(row.today).padded(to: todayWidth), text(row.best),
                ]
                return "  " + cells.joined(separator: "  ").trimmedEnd
            }
    }

    private static func text(_ gears: [Int]) -> String {
        gears.map(String.init).joined(separator: " ")
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
