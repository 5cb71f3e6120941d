package import GearboxIndex

/// What is exported, and under which names.
package struct ExportOptions: Hashable, Sendable {
    /// What a client library takes as the key of a picture.
    package enum Key: String, Sendable, CaseIterable, Hashable {
        /// The absolute URL, on each host of its origin.
        case url
        /// The URL without scheme and host.
        case key
    }

    /// The scheme of the URLs.
    package enum Scheme: String, Sendable, CaseIterable, Hashable { case https, http }

    package var selection: IndexSelection
    package var key: Key
    package var scheme: Scheme
    /// Only URLs on these hosts, in any case; empty: on each host of the index.
    package var hosts: [String]

    package init(
        selection: IndexSelection = IndexSelection(),
        key: Key = .url,
        scheme: Scheme = .https,
        hosts: [String] = []
    ) {
        self.selection = selection
        self.key = key
        self.scheme = scheme
        self.hosts = hosts
    }
}
