package import GearboxURL
package import Store

/// What was made of one original.
package struct RenderedSource: Hashable, Sendable, Codable {
    package var facts: SourceFacts
    /// The files of the variants, until the store adopts them.
    package var staged: [StagedFile]
    package var variants: [RenderedVariant]
    /// The wanted variants that could not be made although the original is good.
    package var failures: [RenderFailure]

    package init(
        facts: SourceFacts,
        staged: [StagedFile] = [],
        variants: [RenderedVariant] = [],
        failures: [RenderFailure]
    ) {
        self.facts = facts
        self.staged = staged
        self.variants = variants
        self.failures = failures
    }

    /// Gives the variants' files their names in the store.
    ///
    /// - Throws: `StoreError`, also where a variant names a file that is not among them.
    package func adopted(by store: Store) throws(StoreError) -> RenderedSource {
        var bytes: [String: Int] = [:]
        for staged in staged {
            let file = try store.adopt(staged)
            bytes[file.file] = file.bytes
        }
        for variant in variants where bytes[variant.file] != variant.bytes {
            throw StoreError(
                code: .notAsStaged,
                subject: variant.key,
                message: "its file was not staged with it"
            )
        }
        var adopted = self
        adopted.staged = []
        return adopted
    }
}

/// One variant as the index describes it.
package struct RenderedVariant: Hashable, Sendable, Codable {
    package var key: String
    /// The file's path as the index holds it, such as `store/ab/abcd.webp`.
    package var file: String
    package var format: FileFormat
    /// As asked for; 100 for the original's own bytes.
    package var quality: Int
    /// Of the pixels that were written.
    package var size: Size
    package var isAnimated: Bool
    /// Whether this is a still of the whole source at its full size.
    package var isFullSize: Bool
    package var bytes: Int

    package init(
        key: String,
        file: String,
        format: FileFormat,
        quality: Int,
        size: Size,
        isAnimated: Bool,
        isFullSize: Bool,
        bytes: Int
    ) {
        self.key = key
        self.file = file
        self.format = format
        self.quality = quality
        self.size = size
        self.isAnimated = isAnimated
        self.isFullSize = isFullSize
        self.bytes = bytes
    }
}

/// A wanted variant that could not be made.
package struct RenderFailure: Hashable, Sendable, Codable {
    package var key: String
    package var error: RenderError

    package init(key: String, error: RenderError) {
        self.key = key
        self.error = error
    }
}
