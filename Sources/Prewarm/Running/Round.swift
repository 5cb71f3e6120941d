internal import Fetching

/// What a run knows of the questions that were asked before it.
struct Round: Sendable {
    /// The first run of its round.
    var first: Int
    /// The first run of the night, which may hold several rounds: of runs that only fetch.
    var night: Int

    /// A run by itself.
    init(of run: Int) {
        first = run
        night = run
    }

    /// Begins a round, or goes on with the one that is open.
    ///
    /// - Parameter asks: whether this run asks anybody.
    init(of run: Int, listing: Int, asks: Bool, in state: StateDatabase) throws {
        night = Int(try state.setting(.nightRun) ?? "") ?? run
        first = asks ? try state.beginRound(run: run, listing: listing) : run
    }

    /// Whether an earlier run of this round has asked, or one of this night for what is still to be
    /// rendered: that answer counts.
    ///
    /// A look into a mirror costs nothing, and what failed is asked for again.
    ///
    /// - Parameters:
    ///   - source: asked about by runs before `run`.
    ///   - original: what is held of it.
    ///   - promise: the digest that the bytes shall have.
    ///   - isToRender: whether something is due of it that this run renders.
    func answers(
        _ source: SourceRow,
        _ original: SourceRow.Original,
        promise: String?,
        before run: Int,
        isToRender: @autoclosure () -> Bool
    ) -> Bool {
        guard source.asked > 0, source.asked < run, source.failureStage != .fetch,
            original.validators.fileStamp == nil, promise == nil || original.promise == promise
        else { return false }
        return source.asked >= first || source.asked >= night && isToRender()
    }
}
