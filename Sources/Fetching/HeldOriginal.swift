/// What an earlier run has of an original.
package struct HeldOriginal: Sendable, Hashable {
    /// The file in the store of originals; `nil` where originals are not kept.
    package var file: String?
    package var bytes: Int
    /// SHA-256, hexadecimal.
    package var digest: String
    package var validators: Validators
    /// How long ago the data source was last asked; `nil` where nobody knows.
    package var age: Duration?

    package init(
        file: String?,
        bytes: Int,
        digest: String,
        validators: Validators,
        age: Duration? = nil
    ) {
        self.file = file
        self.bytes = bytes
        self.digest = digest
        self.validators = validators
        self.age = age
    }
}
