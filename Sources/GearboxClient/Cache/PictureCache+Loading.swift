internal import GearboxDatabase

extension PictureCache {
    /// The picture of a request, from memory or by loading it.
    ///
    /// Requests for the same picture at the same time are one load. A waiter that is cancelled
    /// leaves at once and disturbs nobody; the load is cancelled when the last one has left. A load
    /// that throws does so for all who wait, and the next request loads again.
    ///
    /// - Parameters:
    ///   - request: what is wanted.
    ///   - load: makes the picture as it is to be shown, after the transform of an answer; runs in
    ///     a task of its own.
    /// - Returns: the picture, or a larger one with what is to be done to it.
    /// - Throws: what `load` throws; `CancellationError` where the caller's task is cancelled.
    public func picture(
        for request: PictureRequest,
        load: @escaping @Sendable () async throws -> DecodedPicture<Picture>
    ) async throws -> Hit {
        if let hit = picture(for: request) { return hit }
        let name = request.name
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                join(name, request, ticket, waiter, load)
                // A cancellation before the waiter was there found nobody.
                if Task.isCancelled { leave(name, ticket) }
            }
        } onCancel: {
            leave(name, ticket)
        }
    }

    /// What is to be done for a waiter outside of the lock: what resumes a waiter may not hold it.
    private enum Joining {
        case answer(Hit)
        case wait
        case start
    }

    private func join(
        _ name: PictureName,
        _ request: PictureRequest,
        _ ticket: Int,
        _ waiter: Flight<Picture>.Waiter,
        _ load: @escaping @Sendable () async throws -> DecodedPicture<Picture>
    ) {
        let joining: Joining = state.withLock { state in
            // A load may have ended since the first look.
            if let hit = state.entries.picture(for: request) { return .answer(hit) }
            if state.flights[name] != nil {
                state.flights[name]?.waiters[ticket] = waiter
                state.entries.statistics.merges += 1
                return .wait
            }
            state.flights[name] = Flight(ticket: ticket, waiters: [ticket: waiter])
            state.entries.statistics.loads += 1
            return .start
        }
        switch joining {
        case .answer(let hit): waiter.resume(returning: hit)
        case .wait: break
        case .start:
            let task = Task {
                do {
                    finish(name, request, ticket, .success(try await load()))
                } catch {
                    finish(name, request, ticket, .failure(error))
                }
            }
            let isWanted = state.withLock { state in
                guard state.flights[name]?.ticket == ticket else { return false }
                state.flights[name]?.task = task
                return true
            }
            if !isWanted { task.cancel() }
        }
    }

    private func finish(
        _ name: PictureName,
        _ request: PictureRequest,
        _ ticket: Int,
        _ result: Result<DecodedPicture<Picture>, any Error>
    ) {
        let waiters = state.withLock { state -> [Flight<Picture>.Waiter] in
            guard let flight = state.flights[name], flight.ticket == ticket else { return [] }
            state.flights[name] = nil
            switch result {
            case .success(let decoded):
                if flight.isKept { state.entries.insert(decoded, for: request) }
            case .failure:
                state.entries.statistics.failures += 1
            }
            return Array(flight.waiters.values)
        }
        for waiter in waiters {
            waiter.resume(with: result.map { Hit($0, recipe: nil) })
        }
    }

    /// Takes a waiter out, and cancels the load where it was the last.
    private func leave(_ name: PictureName, _ ticket: Int) {
        let (waiter, abandoned) = state.withLock {
            state -> (Flight<Picture>.Waiter?, Task<Void, Never>?) in
            guard let waiter = state.flights[name]?.waiters.removeValue(forKey: ticket) else {
                return (nil, nil)
            }
            guard state.flights[name]?.waiters.isEmpty == true else { return (waiter, nil) }
            return (waiter, state.flights.removeValue(forKey: name)?.task)
        }
        abandoned?.cancel()
        waiter?.resume(throwing: CancellationError())
    }
}
