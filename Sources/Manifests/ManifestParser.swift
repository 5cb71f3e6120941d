/// Reads the text of a manifest in one format.
protocol ManifestParser {
    /// The line that is being read, from 1.
    var line: Int { get }

    /// Reads the next bytes; they may end anywhere.
    ///
    /// - Throws: `ManifestFault`, and what `item` throws.
    mutating func read(_ bytes: Span<UInt8>, item: (ManifestItem) throws -> Void) throws

    /// Ends the text: its last line need not end with a line end.
    mutating func finish(item: (ManifestItem) throws -> Void) throws
}

/// What is wrong with the text of a manifest as a whole.
struct ManifestFault: Error {
    var code: ManifestError.Code
    var message: String
}
