internal import GearboxDatabase

/// The order in which sources are asked about, and which runs share their questions.
///
/// A round is one night's questions: the run that begins it, and those that go on where it was
/// interrupted, was killed or came to its deadline. None of them asks what an earlier one has.
extension StateDatabase {
    /// Begins a round, or goes on with one that has not come to its end.
    ///
    /// - Returns: its first run.
    func beginRound(run: Int, listing: Int) throws -> Int {
        let first = Int(try setting(.round) ?? "") ?? 0
        if first > 0, try isRoundOpen(first, listing) { return first }
        try set(.round, to: String(run))
        try set(.isRoundAsked, to: "0")
        return run
    }

    /// Notes that every source was asked: a run that goes on from here asks nothing.
    func endQuestions() throws { try set(.isRoundAsked, to: "1") }

    /// Notes that a run has come to its end: the next one asks all again.
    func endRound() throws { try set(.round, to: "0") }

    /// Whether there is something to go on with.
    ///
    /// Where a run was cut short that is a source that no run of the round has asked, or whose
    /// rendering is owed: else what fails slowly each time would keep all others from being asked
    /// again.
    private func isRoundOpen(_ first: Int, _ listing: Int) throws -> Bool {
        if try setting(.isRoundAsked) == "1" { return true }
        return try database.first(
            "SELECT EXISTS (SELECT 1 FROM source WHERE wanted = ?1 AND turn < ?2)",
            .integer(listing),
            .integer(first)
        ) { $0.flag(0) } ?? false
    }

    func setTurn(_ turn: Int, ofSource id: Int) throws {
        try database.statement("UPDATE source SET turn = ?1 WHERE id = ?2 AND turn <> ?1").run(
            .integer(turn),
            .integer(id)
        )
    }

    /// The files of the originals whose rendering is owed.
    func owedOriginals() throws -> Set<String> {
        Set(
            try database.all("SELECT file FROM source WHERE turn < 0 AND file IS NOT NULL") {
                $0.text(0)
            }
        )
    }
}
