internal import Prewarm

/// What a run would do, for a person.
enum ForecastText {
    static func text(of forecast: RunForecast) -> String {
        var lines = ["a run of \(forecast.pipeline) would do this now"]
        let state = forecast.hasState ? "" : ", which no run has used yet"
        lines.append("  \("cache".padded(to: 14))\(forecast.cache)\(state)")
        for stage in forecast.stages {
            let counts = stage.tally.sorted.filter { !$0.name.hasPrefix("parameter ") }
                .map { "\($0.count) \($0.name)" }
            lines.append(
                "  \(stage.stage.rawValue.padded(to: 14))"
                    + (counts.isEmpty ? "nothing" : counts.joined(separator: ", "))
            )
        }
        lines += forecast.reasons.flatMap(\.lines)
        return lines.joined(separator: "\n") + "\n"
    }
}
