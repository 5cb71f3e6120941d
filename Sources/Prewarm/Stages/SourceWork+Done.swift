internal import Fetching

/// Sources with which nothing is to be done: most of them, on most nights.
extension SourceWork {
    /// Looks whether a source needs no more than a look: all is made of the original that is held, and
    /// nobody has to be asked whether that is still good.
    ///
    /// Waits for the disk.
    ///
    /// - Returns: what to count it as; `nil` where it has to be taken up.
    func lookAtDone(_ source: SourceRow) -> String? {
        guard source.isDone, let fetcher, let original = source.original,
            !context.refreshes(source), source.asked < round.first,
            let request = quickRequest(for: source, original)
        else { return nil }
        return switch fetcher.quickResult(of: request) {
        case .unchanged: "unchanged"
        case .trusted: "held"
        case .fetched, .gone, .failed, nil: nil
        }
    }

    /// `nil` where nobody may be asked.
    private func quickRequest(
        for source: SourceRow,
        _ original: SourceRow.Original
    ) -> FetchRequest? {
        let chain = chains.sources(ofOrigin: source.origin, isOpaque: source.isOpaque)
        guard !chain.isEmpty else { return nil }
        return FetchRequest(
            url: source.url,
            path: source.path,
            chain: chain,
            // What is done needs its bytes no more.
            held: heldOriginal(original, hasFile: false),
            expected: promise(of: source)
        )
    }
}
