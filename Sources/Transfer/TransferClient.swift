internal import CCurl
internal import Synchronization

/// Gets things over HTTP, many at once.
///
/// Transfer is the only importer of libcurl. It knows URLs, responses and limits; it must not know
/// what a body is, where it is kept, whether a transfer is worth trying again, or of gears,
/// manifests and stages.
///
/// One thread of its own drives libcurl's multi interface, so that transfers share connections,
/// HTTP/2 streams and resolved names. Bodies go to their receiver as they come; nothing is held.
package final class TransferClient: Sendable {
    private let mailbox = Mailbox()
    private let nextID = Atomic<UInt64>(0)
    private let thread: Mutex<OwnThread?>

    package init(_ configuration: TransferConfiguration) {
        TransferRuntime.start()
        let mailbox = mailbox
        thread = Mutex(OwnThread { TransferLoop(configuration, mailbox).run() })
    }

    deinit { mailbox.close() }

    /// Makes one transfer, when its turn comes.
    ///
    /// A status of any kind but a redirect is a response, not an error. A task that is cancelled
    /// breaks its transfer off.
    package func perform(
        _ request: TransferRequest,
        receiving receiver: any BodyReceiving
    ) async throws(TransferError) -> TransferResponse {
        let location = try Location(request.url)
        try check(request)
        guard !Task.isCancelled else { throw .cancelled(request.url) }
        let id = nextID.add(1, ordering: .relaxed).newValue
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let submission = Submission(
                    id: id,
                    request: request,
                    location: location,
                    receiver: receiver,
                    finish: { continuation.resume(returning: $0) }
                )
                guard mailbox.post(.submit(submission)) else {
                    return continuation.resume(
                        returning:
                            .failure(.cancelled(request.url, "transfers have been shut down"))
                    )
                }
                // The handler may have run before there was anything to cancel.
                if Task.isCancelled { _ = mailbox.post(.cancel(id)) }
            }
        } onCancel: {
            _ = mailbox.post(.cancel(id))
        }
        return try result.get()
    }

    /// Lets the transfers in flight end and starts no other: what waits, and what comes, is cancelled.
    package func drain() { _ = mailbox.post(.drain) }

    /// Breaks every transfer off and waits for the thread's end.
    package func shutDown() {
        mailbox.close()
        let ending = thread.withLock { $0.take() }
        ending?.join()
    }

    /// A line end in a header would begin another header.
    private func check(_ request: TransferRequest) throws(TransferError) {
        guard request.hasHeaders else { return }
        let lines = request.lines(withOwnHeaders: true)
        guard lines.contains(where: { $0.utf8.contains { $0 < 0x20 && $0 != 0x09 } }) else {
            return
        }
        throw TransferError(
            code: .badRequest,
            subject: TransferError.shown(request.url),
            message: "a header to be sent holds a control character; check the origin's headers"
        )
    }
}
