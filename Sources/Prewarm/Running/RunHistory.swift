internal import GearboxDatabase

/// The past runs of a cache directory.
package enum RunHistory {
    package struct Record: Sendable, Hashable {
        package var id: Int
        package var pipeline: String
        /// Seconds since 1970, UTC.
        package var startedAt: Int
        package var finishedAt: Int?
        package var exitStatus: Int?
        package var message: String?
        package var stages: [RunReport.StageReport] = []
    }

    /// The last runs, the last first; may be asked while a run goes on.
    package static func last(_ count: Int, cache: String) throws -> [Record] {
        let path = "\(cache)/state.sqlite"
        do {
            return try read(count, Database(path: path, access: .readOnly))
        } catch let error as DatabaseError {
            guard [.cannotOpen, .readOnly, .diskFull].contains(error.code) else { throw error }
            // Where nothing may or can be written SQLite cannot share the log with a writer.
            return try read(count, Database(path: path, access: .immutable))
        }
    }

    private static func read(
        _ count: Int,
        _ database: Database
    ) throws -> [Record] {
        var records = try database.all(selectRuns, .integer(count)) { row in
            Record(
                id: row.integer(0),
                pipeline: row.text(1),
                startedAt: row.integer(2),
                finishedAt: row.optionalInteger(3),
                exitStatus: row.optionalInteger(4),
                message: row.optionalText(5)
            )
        }
        for index in records.indices {
            let run = Value.integer(records[index].id)
            let stages = try database.all(selectStages, run) { ($0.text(0), $0.real(1)) }
            for (name, seconds) in stages {
                guard let stage = Stage(rawValue: name) else { continue }
                var tally = Tally()
                let counts = try database.all(selectTallies, run, .text(name)) {
                    ($0.text(0), $0.integer(1))
                }
                for (name, count) in counts { tally.add(name, count) }
                records[index].stages.append(
                    RunReport.StageReport(stage: stage, seconds: seconds, tally: tally)
                )
            }
        }
        return records
    }

    private static let selectRuns = """
        SELECT id, pipeline, started_at, finished_at, exit_status, message FROM run
        ORDER BY id DESC LIMIT ?1
        """
    private static let selectStages = """
        SELECT name, seconds FROM stage WHERE run_id = ?1 ORDER BY position
        """
    private static let selectTallies = """
        SELECT name, count FROM tally WHERE run_id = ?1 AND stage = ?2 ORDER BY name
        """
}
