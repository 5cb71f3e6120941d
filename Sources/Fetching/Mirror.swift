internal import Store

/// A folder that holds an origin's paths.
struct Mirror: Sendable {
    let directory: String
    let originals: Store
    let check: BodyCheck
    let maximumBytes: Int

    /// Takes the original in, unless what is held is the same file still.
    ///
    /// Waits for the disk.
    func fetch(_ request: FetchRequest) -> FetchResult {
        do throws(StoreError) {
            return try take(request)
        } catch {
            if error.code == .notFound { return missing(request) }
            return .failed(FetchError(error))
        }
    }

    private func take(_ request: FetchRequest) throws(StoreError) -> FetchResult {
        guard let path = MirrorPath.decoded(request.path) else { return missing(request) }
        let file = try OutsideFile(path, in: directory)
        let validators = Validators(fileStamp: file.stamp)
        if let held = request.held, held.isFile(stamped: file.stamp, in: originals) {
            return .unchanged(validators)
        }
        let subject = "\(directory)\(path)"
        guard file.bytes <= maximumBytes else {
            return .failed(
                BodyCheck.tooLarge(subject, bytes: file.bytes, most: maximumBytes)
            )
        }
        var writer = try originals.writer(expecting: request.expected)
        try file.copy(into: &writer)
        let refusal = check.refusal(
            ofMirrored: subject,
            head: writer.head,
            bytes: writer.bytes
        )
        if let refusal { return .failed(refusal) }
        let format = writer.format
        let stored = try writer.finish(fileExtension: format.fileExtension)
        return .fetched(
            Original(
                file: stored.file,
                digest: stored.digest,
                bytes: stored.bytes,
                format: format,
                validators: validators,
                finalURL: request.url,
                attempts: 1
            )
        )
    }

    private func missing(_ request: FetchRequest) -> FetchResult {
        .gone(Gone(reason: "not in the mirror \(directory)", httpStatus: nil, attempts: 1))
    }
}
