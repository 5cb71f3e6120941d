/// Which variants each source shall have, which of them are due, and whose bytes that takes.
struct PlanStage {
    let context: RunContext
    private static let batch = 500

    func run() async throws -> Tally {
        try await context.state.run { state in
            let listing = try state.listing()
            var plan = ListingPlan(
                context: context,
                state: state,
                listing: listing,
                hadRemoteVariants: try state.hasRemoteVariants()
            )
            try state.transaction { try state.beginPlan(of: listing) }
            var last = 0
            while true {
                try context.checkInterruption()
                let sources = try state.sources(listing: listing, after: last, limit: Self.batch)
                guard let end = sources.last?.id else { break }
                try state.transaction {
                    for source in sources { try plan.add(source) }
                }
                context.progress.update { $0.done += sources.count }
                last = end
            }
            try state.set(.plannedListing, to: String(listing))
            return plan.tally
        }
    }
}
