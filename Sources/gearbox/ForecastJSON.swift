internal import Prewarm

/// What a run would do, as one JSON object.
enum ForecastJSON {
    static func text(of forecast: RunForecast) -> String {
        var json = JSONLine()
        json.field("pipeline", forecast.pipeline)
        json.field("cache", forecast.cache)
        json.field("hasState", forecast.hasState)
        json.field(
            "stages",
            list: forecast.stages.map { stage in
                var json = JSONLine()
                json.field("stage", stage.stage.rawValue)
                json.field(
                    "counts",
                    object: { json in
                        for (name, count) in stage.tally.sorted { json.field(name, count) }
                    }
                )
                return json
            }
        )
        json.field(reasons: forecast.reasons)
        return String(decoding: json.endedLine(), as: UTF8.self)
    }
}
