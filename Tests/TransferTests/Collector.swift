import Synchronization
import Transfer

/// Keeps what comes.
final class Collector: BodyReceiving {
    struct Refusal: Error {}

    private let state = Mutex((head: ResponseHead?.none, bytes: [UInt8]()))
    private let enough: Int
    private let failAfter: Int

    /// Has enough after so many bytes, and throws after so many.
    init(enough: Int = .max, failAfter: Int = .max) {
        self.enough = enough
        self.failAfter = failAfter
    }

    func begin(_ head: ResponseHead) throws {
        state.withLock {
            precondition($0.head == nil, "only the final response has a body")
            $0.head = head
        }
    }

    func receive(_ bytes: Span<UInt8>) throws -> BodyDemand {
        try state.withLock { state in
            precondition(state.head != nil, "bytes come after the head")
            for index in bytes.indices { state.bytes.append(bytes[index]) }
            if state.bytes.count > failAfter { throw Refusal() }
            return state.bytes.count >= enough ? .enough : .more
        }
    }

    var bytes: [UInt8] { state.withLock { $0.bytes } }
    var text: String { String(decoding: bytes, as: UTF8.self) }
    var head: ResponseHead? { state.withLock { $0.head } }
}

extension TransferConfiguration {
    /// What tests need: the loopback interface, and short waits.
    static var loopback: TransferConfiguration {
        var configuration = TransferConfiguration()
        configuration.allowPrivateAddresses = true
        configuration.timeout = .seconds(20)
        return configuration
    }
}

extension TransferClient {
    /// Gets a URL; a failure is returned, not thrown.
    func get(
        _ request: TransferRequest,
        _ collector: Collector = Collector()
    ) async -> Result<TransferResponse, TransferError> {
        do {
            return .success(try await perform(request, receiving: collector))
        } catch {
            return .failure(error)
        }
    }

    func get(
        _ url: String,
        _ collector: Collector = Collector(),
        maximumBytes: Int = 1 << 20
    ) async -> Result<TransferResponse, TransferError> {
        await get(TransferRequest(url: url, maximumBytes: maximumBytes), collector)
    }
}

extension Result where Success == TransferResponse, Failure == TransferError {
    var error: TransferError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
