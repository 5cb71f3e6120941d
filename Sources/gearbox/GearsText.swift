internal import GearboxURL
internal import Prewarm

/// The comparison of ladders for people.
enum GearsText {
    static func text(
        _ traffic: Traffic,
        _ comparison: LadderComparison,
        _ rules: CanonicalRules
    ) -> String {
        var lines = [
            grouped(traffic.requests) + " requests in " + grouped(traffic.entries) + " entries: "
                + grouped(traffic.variantRequests) + " of variants, "
                + grouped(traffic.plainRequests) + " of originals, "
                + grouped(traffic.verbatimRequests) + " opaque or signed"
        ]
        guard traffic.variantRequests > 0 else {
            return lines[0]
                + "\nNobody asks for a size or a quality: there is nothing to compare.\n"
        }
        if comparison.sizes.today.variants.precision != .exact {
            lines.append(
                "Variants are told from " + grouped(traffic.sampledSources) + " of the sources."
            )
        }
        lines += [
            "", "Sizes, by the longer side; above the top gear: \(rules.sizes.overflow.rawValue)",
        ]
        let pixels = traffic.sizes.pixels
        lines += sides(comparison.sizes) { waste in
            grouped(waste) + " pixels"
                + (pixels > 0 ? ", \(percent(waste, of: pixels)) of those asked for" : "")
        }
        let smaller = traffic.sizes.requestsMadeSmaller(by: rules.sizes)
        if smaller > 0 {
            lines.append("  " + grouped(smaller) + " requests get less than they ask for today")
        }
        lines += [""] + TrafficChart.lines(traffic.sizes.hits, .sizes, comparison.sizes)
        lines += ["", "Qualities"]
        let requests = traffic.variantRequests
        lines += sides(comparison.qualities) { waste in
            grouped(waste)
                + " quality points, \(decimal(Double(waste) / Double(requests), 2)) a request"
        }
        lines += [""] + TrafficChart.lines(traffic.qualities.hits, .qualities, comparison.qualities)
        lines += ["", "In a pipeline: \(configuration(comparison, rules))"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func sides(
        _ pair: LadderComparison.Pair,
        waste: (Int) -> String
    ) -> [String] {
        var lines: [String] = []
        for (name, side) in [("today", pair.today), ("best", pair.best)] {
            guard let side else { continue }
            lines.append("  \(name.padded(to: 5))  \(list(side.gears))")
            lines.append("         wasted    \(waste(side.waste))")
            lines.append("         variants  \(text(side.variants))")
            lines.append("         hit rate  \(rate(side))")
        }
        return lines
    }

    private static func rate(_ side: LadderComparison.Side) -> String {
        guard let rate = side.hitRate else { return "none" }
        switch side.variants.precision {
        case .exact: return decimal(rate * 100, 2) + " %"
        case .estimated: return "about " + decimal(rate * 100, 1) + " %"
        case .atLeast: return "at most " + decimal(rate * 100, 1) + " %"
        }
    }

    private static func text(_ variants: VariantSample.Estimate) -> String {
        switch variants.precision {
        case .exact: grouped(variants.count)
        case .estimated: "about " + grouped(variants.count)
        case .atLeast: "at least " + grouped(variants.count)
        }
    }

    private static func configuration(
        _ comparison: LadderComparison,
        _ rules: CanonicalRules
    ) -> String {
        let sizes = comparison.sizes.best?.gears ?? rules.sizes.gears
        let qualities = comparison.qualities.best?.gears ?? rules.qualities.gears
        return "gears: { sizes: [\(list(sizes, ", "))], qualities: [\(list(qualities, ", "))] }"
    }

    private static func list(_ gears: [Int], _ separator: String = " ") -> String {
        gears.map(String.init).joined(separator: separator)
    }

    private static func percent(_ part: Int, of whole: Int) -> String {
        decimal(Double(part) / Double(whole) * 100, 1) + " %"
    }

    /// A number as people read large ones: 1,234,567.
    private static func grouped(_ number: Int) -> String {
        var text = String(number)
        var place = text.count - 3
        while place > 0 {
            text.insert(",", at: text.index(text.startIndex, offsetBy: place))
            place -= 3
        }
        return text
    }

    /// A number that is not negative, with so many digits behind the point.
    static func decimal(_ number: Double, _ digits: Int) -> String {
        let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
        let units = Int((number * Double(scale)).rounded())
        return "\(units / scale)." + String(units % scale + scale).dropFirst()
    }
}
