/// What became of each line of the manifests, read piece by piece from the state.
package struct RunOutcomes: Sendable {
    let state: StateQueue
    let run: Int
    /// Why lines were not reached; `nil`: the run ended before.
    let unmade: String?
    private static let batch = 5_000

    /// Calls `body` with every line, in manifest order.
    package func forEach(_ body: (EntryOutcome) throws -> Void) async throws {
        var last = 0
        while true {
            let (run, after) = (run, last)
            let page = try await state.run { state in
                try state.entryOutcomes(
                    run: run,
                    listing: state.listing(),
                    after: after,
                    limit: Self.batch
                )
            }
            guard let end = page.last?.id else { return }
            for entry in page { try body(entry.outcome.saying(unmade)) }
            last = end
        }
    }
}

extension EntryOutcome {
    fileprivate func saying(_ unmade: String?) -> EntryOutcome {
        guard let unmade, code == RunReport.notReached else { return self }
        var outcome = self
        outcome.message = unmade
        return outcome
    }
}

extension RunReport.Reason {
    func saying(_ unmade: String?) -> RunReport.Reason {
        guard let unmade, code == RunReport.notReached else { return self }
        var reason = self
        for index in reason.samples.indices { reason.samples[index].message = unmade }
        return reason
    }
}
