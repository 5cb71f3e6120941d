package import GearboxIndex
internal import System

/// What there is to export: the selected names of an index.
package struct ExportContents {
    package let catalog: IndexCatalog
    let options: ExportOptions
    /// Where the export will be; absolute.
    let target: String

    /// Checks that the index has what the options name.
    init(
        catalog: IndexCatalog,
        options: ExportOptions,
        target: String
    ) throws(ExportError) {
        self.catalog = catalog
        self.options = options
        self.target = target
        for origin in options.selection.origins where catalog.hosts[origin] == nil {
            throw ExportError(
                code: .unknownOrigin,
                subject: origin,
                message: "the index has no such origin, it has "
                    + catalog.hosts.keys.sorted().joined(separator: ", ")
            )
        }
        let hosts = Set(catalog.hosts.values.joined())
        for host in options.hosts where !hosts.contains(host.lowercased()) {
            throw ExportError(
                code: .unknownHost,
                subject: host,
                message: "the index has no such host, it has "
                    + hosts.sorted().joined(separator: ", ")
            )
        }
        guard catalog.count > 0 else {
            throw ExportError(
                code: .nothingSelected,
                subject: target,
                message: "no variant of the index is selected, so nothing was exported"
            )
        }
    }

    /// Visits what a client library may ask for: each name of a variant on each host, or the names
    /// themselves.
    func forEachKey(_ visit: (_ key: String, _ name: IndexedName) throws -> Void) throws {
        if options.key == .key {
            try checkNames()
            try catalog.forEachName { name in
                try checkInterruption()
                try visit(name.key, name)
            }
            return
        }
        let chosen = Set(options.hosts.map { $0.lowercased() })
        let sites = catalog.hosts.mapValues { hosts in
            hosts.filter { chosen.isEmpty || chosen.contains($0) }
                .map { "\(options.scheme.rawValue)://\($0)" }
        }
        try catalog.forEachName { name in
            try checkInterruption()
            for site in sites[name.origin] ?? [] { try visit(site + name.key, name) }
        }
    }

    /// Without a host two origins could have one key, and a client would be shown another's picture.
    private func checkNames() throws {
        let origins = try catalog.chosenOrigins()
        guard origins.count > 1 else { return }
        throw ExportError(
            code: .severalOrigins,
            subject: target,
            message: "a key does not say whose it is: choose one of the origins "
                + origins.joined(separator: ", ")
        )
    }

    func checkInterruption() throws(ExportError) {
        guard Interruption.isRequested else { return }
        throw ExportError(
            code: .interrupted,
            subject: target,
            message: "interrupted; what was there before is untouched"
        )
    }
}
