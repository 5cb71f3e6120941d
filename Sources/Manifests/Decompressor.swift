/// Compressed data that are decompressed piece by piece, in memory that their content cannot grow.
protocol Decompressor: AnyObject {
    /// Whether the data may end here.
    var isAtEnd: Bool { get }

    /// Takes some of the input, or none, and fills the output from its front.
    ///
    /// Where the output is full there may be more for the same input.
    ///
    /// - Returns: how many bytes were taken, and how many were written.
    func decompress(
        _ input: Span<UInt8>,
        into output: inout [UInt8]
    ) throws(DecompressionFault) -> (taken: Int, written: Int)
}

/// What is wrong with compressed data, as the rest of a sentence that names the manifest.
struct DecompressionFault: Error {
    var message: String
}
