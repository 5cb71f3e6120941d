/// How transfers are made, by one client for all of its transfers.
package struct TransferConfiguration: Sendable, Hashable {
    /// Transfers in flight, in all.
    package var transfers = 64
    /// Transfers in flight to one host.
    ///
    /// These are not connections: HTTP/2 carries many on one.
    package var transfersPerHost = 8
    /// What all transfers together may receive; `nil` for no limit.
    package var bytesPerSecond: Int?
    package var connectTimeout = Duration.seconds(10)
    /// From a transfer's start to its end, redirects included; time in the queue does not count.
    package var timeout = Duration.seconds(120)
    /// A transfer that is slower than this for the whole of `slowWindow` is given up.
    package var minimumBytesPerSecond = 1024
    package var slowWindow = Duration.seconds(30)
    /// How long a host that is busy or does not answer is left alone at first; it doubles.
    package var firstPause = Duration.seconds(1)
    /// A host that wants a longer pause than this is asked nothing more.
    package var longestPause = Duration.seconds(60)
    /// How many redirects are followed.
    package var redirects = 5
    /// Whether addresses that are not of the public Internet may be connected to.
    package var allowPrivateAddresses = false
    package var userAgent = "gearbox"
    /// The URL of a proxy; `nil` for none, whatever the environment says.
    package var proxy: String?
    /// A file of certificates to trust in place of the system's.
    package var caFile: String?
    /// Whether HTTP/2 is offered over TLS.
    package var http2 = true

    package init() {}

    /// Transfers in flight, where they share a speed.
    var transfersAtOnce: Int {
        bytesPerSecond.map { ByteBudget.transfers(ofBytesPerSecond: $0, atMost: transfers) }
            ?? transfers
    }
}
