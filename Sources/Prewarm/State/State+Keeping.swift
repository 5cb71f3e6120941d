internal import GearboxDatabase

/// What the stages before the fetch have written is kept where what they depend on is as it was.
extension StateDatabase {
    /// What a stage counted when it was last done.
    ///
    /// - Returns: `nil` where it depends on something else now, or did not come to its end.
    func keptTally(of stage: Stage, inputs: String?) throws -> Tally? {
        guard let inputs, let known = try setting(Self.inputs(of: stage)),
            let end = known.firstIndex(of: "\n"), let run = Int(known[..<end]),
            known[known.index(after: end)...] == inputs,
            try database.first(
                Self.isStageDone,
                .integer(run),
                .text(stage.rawValue),
                read: { $0.flag(0) }
            )
                == true
        else { return nil }
        var tally = Tally()
        let counts = try database.all(Self.tallies, .integer(run), .text(stage.rawValue)) {
            ($0.text(0), $0.integer(1))
        }
        for (name, count) in counts { tally.add(name, count) }
        return tally
    }

    /// Notes what a stage depends on that was done.
    func setDone(_ stage: Stage, inputs: String?, run: Int) throws {
        try set(Self.inputs(of: stage), to: inputs.map { "\(run)\n\($0)" } ?? "")
    }

    /// Has a stage and those that follow it done anew.
    func forgetDone(from first: Stage = .ingest) throws {
        for stage in [Stage.ingest, .canonicalize, .plan] where stage >= first {
            try set(Self.inputs(of: stage), to: "")
        }
    }

    /// Notes of the sources of a listing that another night names them, from one row to another.
    func seeAgain(
        listing: Int,
        night: Int,
        at seconds: Int,
        after last: Int,
        through end: Int
    ) throws {
        try database.statement(Self.updateSeen).run(
            .integer(listing),
            .integer(night),
            .integer(seconds),
            .integer(last),
            .integer(end)
        )
    }

    private static func inputs(of stage: Stage) -> StateSetting {
        switch stage {
        case .ingest: .ingestInputs
        case .canonicalize: .canonicalizeInputs
        case .plan: .planInputs
        default: preconditionFailure("what a stage makes outside of the state is not kept by it")
        }
    }

    private static let isStageDone = """
        SELECT EXISTS (SELECT 1 FROM stage WHERE run_id = ?1 AND name = ?2)
        """
    private static let tallies = "SELECT name, count FROM tally WHERE run_id = ?1 AND stage = ?2"
    private static let updateSeen = """
        UPDATE source SET \(seen(night: "?2", at: "?3"))
        WHERE id > ?4 AND id <= ?5 AND +listing = ?1
        """
}
