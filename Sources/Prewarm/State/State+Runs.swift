internal import GearboxDatabase

extension StateDatabase {
    /// Throws where the cache directory is another pipeline's: an index has one set of rules.
    func claim(for pipeline: String) throws {
        if try setting(.pipeline) == nil { return try set(.pipeline, to: pipeline) }
        try check(owner: pipeline)
    }

    /// Throws where the state is that of a pipeline of another name.
    func check(owner pipeline: String) throws {
        guard let owner = try setting(.pipeline), owner != pipeline else { return }
        throw StateError(
            path: database.path,
            message: "the cache directory is that of the pipeline \"\(owner)\"; give"
                + " \"\(pipeline)\" one of its own, or the same name where it is the same"
        )
    }

    /// Whether the last run could write down all that it did; also where there is a run of it.
    func hasLastRunEnded() throws -> Bool {
        let statuses = try database.all("SELECT exit_status FROM run ORDER BY id DESC LIMIT 1") {
            $0.optionalInteger(0)
        }
        guard let status = statuses.first ?? nil else { return false }
        return status != 4
    }

    func beginRun(pipeline: String, at seconds: Int) throws -> Int {
        try database.run(
            "INSERT INTO run (pipeline, started_at) VALUES (?1, ?2)",
            .text(pipeline),
            .integer(seconds)
        )
        return database.lastInsertedRow
    }

    func endRun(_ run: Int, at seconds: Int, exitStatus: Int, message: String?) throws {
        try database.run(
            "UPDATE run SET finished_at = ?1, exit_status = ?2, message = ?3 WHERE id = ?4",
            .integer(seconds),
            .integer(exitStatus),
            .text(message),
            .integer(run)
        )
    }

    func record(_ stage: Stage, seconds: Double, tally: Tally, run: Int) throws {
        try database.run(
            "INSERT OR REPLACE INTO stage (run_id, position, name, seconds) VALUES (?1, ?2, ?3, ?4)",
            .integer(run),
            .integer(stage.position),
            .text(stage.rawValue),
            .real(seconds)
        )
        for (name, count) in tally.counts {
            try database.run(
                "INSERT OR REPLACE INTO tally (run_id, stage, name, count) VALUES (?1, ?2, ?3, ?4)",
                .integer(run),
                .text(stage.rawValue),
                .text(name),
                .integer(count)
            )
        }
    }
}
