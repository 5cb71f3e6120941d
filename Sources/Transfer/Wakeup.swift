internal import CCurl

/// Ends the wait of a multi handle.
///
/// Unchecked: this one call of libcurl's is allowed from every thread.
@safe struct Wakeup: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer

    init(_ multi: UnsafeMutableRawPointer) { unsafe self.multi = multi }

    func wake() { _ = unsafe curl_multi_wakeup(multi) }
}
