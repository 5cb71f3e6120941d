/// A request and where its result goes.
struct Submission: Sendable {
    let id: UInt64
    let request: TransferRequest
    let location: Location
    let receiver: any BodyReceiving
    let finish: @Sendable (Result<TransferResponse, TransferError>) -> Void
}
