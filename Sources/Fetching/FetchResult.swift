/// What became of a request.
package enum FetchResult: Sendable {
    /// The bytes are in the store of originals.
    case fetched(Original)
    /// What is held is what the data source has.
    case unchanged(Validators)
    /// What is held is good, and nobody was asked.
    case trusted
    /// Every data source was asked and says that there is no such original.
    case gone(Gone)
    case failed(FetchError)
}
