/// Which variants each source shall have, which of them are due, and whose bytes that takes.
struct PlanStage {
    let context: RunContext
    /// Requests in one transaction.
    private static let batch = 10_000

    func run() async throws -> Tally {
        try await context.state.run { state in
            let listing = try state.listing()
            let inputs = StageInputs(context)?.ofListing(listing)
            var tally = Tally()
            if let kept = try state.keptTally(of: .plan, inputs: inputs) {
                tally.add("sources", kept["sources"])
            } else {
                tally = try plan(listing, state)
                try state.set(.plannedListing, to: String(listing))
                try state.setDone(.plan, inputs: inputs, run: context.run)
            }
            var search = DueSearch(context: context, state: state, listing: listing)
            try search.run()
            tally.add(search.tally)
            return tally
        }
    }

    private func plan(_ listing: Int, _ state: StateDatabase) throws -> Tally {
        var plan = ListingPlan(
            context: context,
            state: state,
            listing: listing,
            hadRemoteVariants: try state.hasRemoteVariants(),
            rulesSince: try state.rulesSince(context.pipeline.rules, listing: listing)
        )
        try state.transaction { try state.beginPlan(of: listing) }
        try state.sortRequests()
        var last = 0
        var rest: [AskedSource.Request] = []
        while true {
            try context.checkInterruption()
            let requests = try state.sortedRequests(after: last, limit: Self.batch)
            last = requests.last?.place ?? last
            // The last source's requests may go on in the next batch.
            let (asked, open) = Self.sources(of: rest + requests, isEnd: requests.isEmpty)
            rest = open
            if !asked.isEmpty { try state.transaction { try plan.add(asked) } }
            context.progress.update { $0.done += asked.count }
            if requests.isEmpty { break }
        }
        try state.dropSortedRequests()
        return plan.tally
    }

    /// The sources of sorted requests, and the requests of the last one where they may not be all.
    private static func sources(
        of requests: [AskedSource.Request],
        isEnd: Bool
    ) -> ([AskedSource], [AskedSource.Request]) {
        var sources: [AskedSource] = []
        for request in requests {
            if sources.last?.id == request.source {
                sources[sources.count - 1].requests.append(request)
            } else {
                sources.append(AskedSource(id: request.source, requests: [request]))
            }
        }
        let last = isEnd ? nil : sources.popLast()
        for index in sources.indices {
            sources[index].requests.sort { $0.lines.firstEntry < $1.lines.firstEntry }
        }
        return (sources, last?.requests ?? [])
    }
}
