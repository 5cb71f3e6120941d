internal import Prewarm

/// The comparison of ladders as a line of JSON.
enum GearsJSON {
    static func line(_ traffic: Traffic, _ comparison: LadderComparison, badLines: Int) -> String {
        var json = JSONLine()
        json.field("entries", traffic.entries)
        json.field("badLines", badLines)
        json.field("requests", traffic.requests)
        json.field("variantRequests", traffic.variantRequests)
        json.field("plainRequests", traffic.plainRequests)
        json.field("opaqueOrSignedRequests", traffic.verbatimRequests)
        json.field("sizes") { json in
            json.field("requestedPixels", traffic.sizes.pixels)
            pair(comparison.sizes, waste: "wastedPixels", &json)
            json.field("traffic", list: histogram(traffic.sizes.hits, "size"))
        }
        json.field("qualities") { json in
            pair(comparison.qualities, waste: "wastedPoints", &json)
            json.field("traffic", list: histogram(traffic.qualities.hits, "quality"))
        }
        return String(decoding: json.endedLine(), as: UTF8.self)
    }

    private static func pair(
        _ pair: LadderComparison.Pair,
        waste: String,
        _ json: inout JSONLine
    ) {
        for (name, side) in [("today", pair.today), ("best", pair.best)] {
            guard let side else {
                json.field(name, object: nil)
                continue
            }
            json.field(name) { json in
                json.field("gears", integers: side.gears)
                json.field(waste, side.waste)
                json.field("variants", side.variants.count)
                json.field("precision", side.variants.precision.rawValue)
                json.field("hitRate", fraction: side.hitRate)
            }
        }
    }

    private static func histogram(_ hits: [Int], _ name: String) -> [JSONLine] {
        hits.enumerated().filter { $0.element > 0 }.map { value, hits in
            var json = JSONLine()
            json.field(name, value)
            json.field("requests", hits)
            return json
        }
    }
}
