package import Store

/// What became of a request.
package enum FetchResult: Sendable {
    /// The bytes are in the store of originals.
    case fetched(Original)
    /// What is held is what the data source has.
    case unchanged(Validators)
    /// Every data source was asked and says that there is no such original.
    case gone(Gone)
    case failed(FetchError)
}

/// The bytes of a source, as they came.
package struct Original: Sendable, Hashable {
    /// In the store of originals.
    package var file: String
    /// SHA-256, hexadecimal.
    package var digest: String
    package var bytes: Int
    /// Told by the bytes.
    package var format: FileFormat
    package var validators: Validators
    /// Where the bytes came from, after redirects; for a mirror the URL that was asked for.
    package var finalURL: String
    package var attempts: Int
}

/// That an original is not there any more, or never was.
package struct Gone: Sendable, Hashable {
    /// In one line.
    package var reason: String
    /// 404 or 410; `nil` where no host was asked.
    package var httpStatus: Int?
    package var attempts: Int
}
