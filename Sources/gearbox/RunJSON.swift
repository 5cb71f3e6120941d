internal import Prewarm
internal import System

/// A run as lines of JSON: one for each line of the manifests, and one for the run, the last.
enum RunJSON {
    static func write(_ report: RunReport, _ outcomes: RunOutcomes, to path: String) async throws {
        var file = try OutputFile(path)
        try await outcomes.forEach { try file.write(entry($0)) }
        try file.write(run(report))
        try file.finish()
    }

    private static func entry(_ entry: EntryOutcome) -> [UInt8] {
        var json = JSONLine()
        json.field("type", "entry")
        json.field("manifest", entry.manifest)
        json.field("line", entry.line)
        json.field("url", ShownURL.withoutUser(entry.url))
        json.field("outcome", entry.outcome.rawValue)
        json.field("reason", entry.code)
        json.field("message", entry.message)
        json.field("attempts", entry.attempts)
        json.field("key", entry.key)
        json.field("file", entry.file)
        return json.endedLine()
    }

    private static func run(_ report: RunReport) -> [UInt8] {
        var json = JSONLine()
        json.field("type", "run")
        json.field("run", report.run)
        json.field("pipeline", report.pipeline)
        json.field("cache", report.cache)
        json.field("seconds", seconds: report.seconds)
        for outcome in RunReport.Outcome.allCases {
            json.field(outcome.rawValue, report.count(outcome))
        }
        json.field("variantsMade", report.madeVariants)
        json.field("bytesMade", report.madeBytes)
        json.field("interrupted", report.isInterrupted)
        json.field("deadlineReached", report.hasReachedDeadline)
        json.field(reasons: report.reasons)
        json.field(stages: report.stages)
        json.field("sandbox", report.sandbox?.description)
        json.field(
            "index",
            object: report.index.map { index in
                { json in
                    json.field("path", index.path)
                    json.field("generation", index.generation)
                    json.field("sources", index.sources)
                    json.field("variants", index.variants)
                }
            }
        )
        return json.endedLine()
    }
}

extension JSONLine {
    /// The stages of a run, each with what it counted.
    mutating func field(stages: [RunReport.StageReport]) {
        let list = stages.map { stage in
            var json = JSONLine()
            json.field("stage", stage.stage.rawValue)
            json.field("seconds", seconds: stage.seconds)
            json.field(
                "counts",
                object: { json in
                    for (name, count) in stage.tally.sorted { json.field(name, count) }
                }
            )
            return json
        }
        field("stages", list: list)
    }

    /// Why entries were skipped or failed, and how many.
    mutating func field(reasons: [RunReport.Reason]) {
        let list = reasons.map { reason in
            var json = JSONLine()
            json.field("outcome", reason.outcome.rawValue)
            json.field("reason", reason.code)
            json.field("count", reason.count)
            return json
        }
        field("reasons", list: list)
    }
}
