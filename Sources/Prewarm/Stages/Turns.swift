internal import Synchronization

/// One at a time for each name: who comes while another is at it waits until that one has ended.
final class Turns: Sendable {
    private let waiting = Mutex<[String: [CheckedContinuation<Void, Never>]]>([:])

    /// Waits for its turn.
    ///
    /// `end` must follow, whatever happens.
    func begin(_ name: String) async {
        await withCheckedContinuation { continuation in
            let isFree = waiting.withLock { waiting in
                guard waiting[name] != nil else {
                    waiting[name] = []
                    return true
                }
                waiting[name]?.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    func end(_ name: String) {
        let next: CheckedContinuation<Void, Never>? = waiting.withLock { waiting in
            guard let first = waiting[name]?.first else {
                waiting[name] = nil
                return nil
            }
            waiting[name]?.removeFirst()
            return first
        }
        next?.resume()
    }
}
