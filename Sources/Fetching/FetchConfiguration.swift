package import Store
package import Transfer

/// How originals are fetched: `network` and `limits` of a pipeline.
package struct FetchConfiguration: Sendable {
    package var transfer = TransferConfiguration()
    package var retry = RetryPolicy()
    package var revalidation = Revalidation.always
    /// The largest original that is taken.
    package var maximumBytes = 64 * 1024 * 1024
    /// What an original may be.
    package var formats: Set<FileFormat> = [.jpeg, .png, .webp, .gif, .tiff, .heif, .avif]

    package init() {}
}
