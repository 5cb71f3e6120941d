internal import Prewarm
internal import System

/// A past run, for people and for scripts.
enum RunHistoryText {
    static func text(_ record: RunHistory.Record) -> String {
        var lines = ["run \(record.id) of \(record.pipeline), \(start(record)): \(ending(record))"]
        if let message = record.message { lines.append("  \(message)") }
        for stage in record.stages {
            let counts = stage.tally.sorted.map { "\($0.count) \($0.name)" }
            let seconds = String(Int((stage.seconds * 100).rounded()) / 100)
            let hundredths = Int((stage.seconds * 100).rounded()) % 100
            let time = "\(seconds).\(hundredths < 10 ? "0" : "")\(hundredths) s"
            lines.append(
                "  \(stage.stage.rawValue.padded(to: 12)) \(time.padded(to: 10))"
                    + counts.joined(separator: ", ")
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }

    static func json(_ record: RunHistory.Record) -> String {
        var json = JSONLine()
        json.field("run", record.id)
        json.field("pipeline", record.pipeline)
        json.field("startedAt", start(record))
        json.field(
            "finishedAt",
            record.finishedAt.map { WallTime(secondsSince1970: Int64($0)).description }
        )
        json.field("exitStatus", record.exitStatus)
        json.field("message", record.message)
        json.field(stages: record.stages)
        return String(decoding: json.endedLine(), as: UTF8.self)
    }

    private static func start(_ record: RunHistory.Record) -> String {
        WallTime(secondsSince1970: Int64(record.startedAt)).description
    }

    private static func ending(_ record: RunHistory.Record) -> String {
        guard let status = record.exitStatus, let finished = record.finishedAt else {
            return "not finished: running, or killed"
        }
        return "exit status \(status) after \(finished - record.startedAt) s"
    }
}
