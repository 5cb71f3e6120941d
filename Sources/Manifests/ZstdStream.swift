internal import CZstd

/// Zstandard data, of one frame or of several that follow each other.
///
/// A frame may ask for a window of at most 128 MiB, as the command-line tool allows by default.
///
/// [zstd's manual](https://facebook.github.io/zstd/zstd_manual.html)
@safe final class ZstdStream: Decompressor {
    private let context: OpaquePointer
    private(set) var isAtEnd = false

    init() {
        guard let context = unsafe ZSTD_createDCtx() else {
            preconditionFailure("there is no memory for zstd")
        }
        unsafe self.context = context
    }

    deinit { unsafe ZSTD_freeDCtx(context) }

    func decompress(
        _ input: Span<UInt8>,
        into output: inout [UInt8]
    ) throws(DecompressionFault) -> (taken: Int, written: Int) {
        // Without input at the end of a frame zstd would wait for the header of another.
        if input.isEmpty && isAtEnd { return (0, 0) }
        var taken = 0
        var written = 0
        let left = unsafe input.withUnsafeBytes { source in
            unsafe output.withUnsafeMutableBytes { target in
                var from = unsafe ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
                var to = unsafe ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
                let left = unsafe ZSTD_decompressStream(context, &to, &from)
                taken = unsafe from.pos
                written = unsafe to.pos
                return left
            }
        }
        guard ZSTD_isError(left) == 0 else { throw Self.fault(left, afterFrame: isAtEnd) }
        isAtEnd = left == 0
        return (taken, written)
    }

    private static func fault(_ status: Int, afterFrame: Bool) -> DecompressionFault {
        switch ZSTD_getErrorCode(status) {
        case ZSTD_error_prefix_unknown where afterFrame:
            DecompressionFault(
                message: "something that is no zstd data follows the zstd data; cut it off"
            )
        case ZSTD_error_frameParameter_windowTooLarge:
            DecompressionFault(
                message:
                    "the zstd data need more than 128 MiB of memory; compress them without --long"
            )
        default:
            DecompressionFault(
                message: "the zstd data are damaged, zstd says"
                    + " \(unsafe String(cString: ZSTD_getErrorName(status))); copy the file again"
            )
        }
    }
}
