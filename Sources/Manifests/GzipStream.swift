internal import CZlib

/// Gzip data, of one member or of several that follow each other.
///
/// [zlib's manual](https://zlib.net/manual.html)
@safe final class GzipStream: Decompressor {
    /// On the heap: zlib keeps its address.
    private let stream: UnsafeMutablePointer<z_stream>
    /// Whether the next byte begins a member.
    private var isBetweenMembers = false

    init() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe czlib_start_gzip(stream)
        precondition(status == Z_OK, "there is no memory for zlib")
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    var isAtEnd: Bool { isBetweenMembers }

    func decompress(
        _ input: Span<UInt8>,
        into output: inout [UInt8]
    ) throws(DecompressionFault) -> (taken: Int, written: Int) {
        var passed = 0
        if isBetweenMembers {
            // Tapes and some tools pad with zeros; anything else must be a member.
            while passed < input.count && input[passed] == 0 { passed += 1 }
            guard passed < input.count else { return (passed, 0) }
            guard input[passed] == 0x1F else {
                throw DecompressionFault(
                    message: "something that is no gzip data follows the gzip data; cut it off"
                )
            }
            unsafe inflateReset(stream)
            isBetweenMembers = false
        }
        let rest = input.extracting(passed...)
        let status = unsafe rest.withUnsafeBufferPointer { source in
            unsafe output.withUnsafeMutableBufferPointer { target in
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(source.count)
                unsafe stream.pointee.next_out = target.baseAddress
                unsafe stream.pointee.avail_out = UInt32(target.count)
                return unsafe inflate(stream, Z_NO_FLUSH)
            }
        }
        let taken = input.count - Int(unsafe stream.pointee.avail_in)
        let written = output.count - Int(unsafe stream.pointee.avail_out)
        switch status {
        case Z_STREAM_END: isBetweenMembers = true
        // Z_BUF_ERROR: there was nothing to do, which is no error.
        case Z_OK, Z_BUF_ERROR: break
        default:
            throw DecompressionFault(
                message: "the gzip data are damaged, zlib says \(status); copy the file again"
            )
        }
        return (taken, written)
    }
}
