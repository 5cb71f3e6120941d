package import Store

/// What an earlier run has of an original.
package struct HeldOriginal: Sendable, Hashable {
    /// The file in the store of originals; `nil` where originals are not kept.
    package var file: String?
    package var bytes: Int
    /// SHA-256, hexadecimal.
    package var digest: String
    package var validators: Validators
    /// A digest of a manifest that the bytes are known to have.
    package var promise: PromisedDigest?
    /// How long ago the data source was last asked; `nil` where nobody knows.
    package var age: Duration?

    package init(
        file: String?,
        bytes: Int,
        digest: String,
        validators: Validators,
        promise: PromisedDigest? = nil,
        age: Duration? = nil
    ) {
        self.file = file
        self.bytes = bytes
        self.digest = digest
        self.validators = validators
        self.promise = promise
        self.age = age
    }

    /// Whether nothing has to be transferred if the data source's bytes are the same.
    func isUsable(in originals: Store) -> Bool {
        file.map { originals.holds($0, bytes: bytes) } ?? true
    }

    /// Whether a mirror's file with this stamp is the one that was taken in.
    func isFile(stamped stamp: String, in originals: Store) -> Bool {
        validators.fileStamp == stamp && isUsable(in: originals)
    }

    /// Whether the bytes have a digest that a manifest promises.
    ///
    /// Where nobody knows, the file is read: waits for the disk.
    package func keeps(_ promise: PromisedDigest, in originals: Store) -> Bool {
        guard isUsable(in: originals) else { return false }
        return self.promise == promise || originals.keeps(promise, named: digest, file: file)
    }
}
