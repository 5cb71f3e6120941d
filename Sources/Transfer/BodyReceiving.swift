/// Takes the body of a response as it comes.
///
/// Both methods run on the client's one thread, where every other transfer waits for them: they
/// may write to a file, and must not wait for anything else. What they throw ends the transfer
/// with `receiverFailed`.
package protocol BodyReceiving: AnyObject, Sendable {
    /// The head of the final response is there. Called once, before any bytes.
    func begin(_ head: ResponseHead) throws

    /// The next bytes of the body, unpacked.
    func receive(_ bytes: Span<UInt8>) throws -> BodyDemand
}

extension Span<UInt8> {
    /// Appends its bytes, all at once.
    package func append(to bytes: inout [UInt8]) {
        unsafe withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }
}
