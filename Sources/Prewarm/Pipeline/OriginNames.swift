internal import GearboxURL

/// What may not be called as it is: hosts, and origins beside them.
enum OriginNames {
    /// What is wrong with a host; `nil` where URLs may have it as it is written.
    static func fault(ofHost host: String) -> String? {
        let canonicalizer = Canonicalizer(rules: CanonicalRules())
        guard !host.contains(where: { "/?#".contains($0) }),
            let request = try? canonicalizer.request(for: "http://\(host)/")
        else { return "is not a host name" }
        return request.origin == host ? nil : "is \"\(request.origin)\" in URLs"
    }

    /// Names of origins that may be taken for a host: one that no origin lists is an origin of its
    /// own name, and two of one name would share their keys.
    ///
    /// - Parameters:
    ///   - origins: all of them.
    ///   - hostOwners: the name of the origin that lists a host.
    /// - Returns: the places of the origins, and what is wrong.
    static func faults(
        _ origins: [OriginRules],
        hostOwners: [String: String]
    ) -> [(index: Int, fault: String)] {
        origins.enumerated().compactMap { index, origin in
            let host = origin.name.lowercased()
            if origin.name.contains("/") {
                return (index, "\"\(origin.name)\" holds a /, which no origin's name does")
            }
            if let owner = hostOwners[host] {
                if owner == origin.name { return nil }
                return (index, "\"\(origin.name)\" is a host of origin \(owner)")
            }
            guard host.contains(where: { ".:[".contains($0) }), fault(ofHost: host) == nil else {
                return nil
            }
            return (
                index,
                "\"\(origin.name)\" is a host that no origin lists: list it in hosts, or choose a name "
                    + "that is no host"
            )
        }
    }
}
