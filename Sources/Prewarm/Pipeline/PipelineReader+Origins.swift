internal import Fetching
internal import GearboxURL

/// Ladders and origins.
extension PipelineReader {
    func rules(_ root: Section, origins: [OriginRules]) -> CanonicalRules {
        let gears = root.section("gears")
        let sizes = gears.integers("sizes", in: 1...4_096) ?? SizeLadder.standard.gears
        let overflow = gears.choice("overflow", default: Overflow.step)
        let qualities = gears.integers("qualities", in: 1...100) ?? QualityLadder.standard.gears
        let quality = gears.integer("defaultQuality", default: 75, in: 1...100)
        checkLadder(sizes, "sizes", gears)
        checkLadder(qualities, "qualities", gears)
        if let top = qualities.last, top < 100 {
            gears.complain("qualities", "ends at \(top): the last gear is 100")
        }
        gears.finish()
        let scheme = root.string("defaultScheme")
        if let scheme, scheme != "http", scheme != "https" {
            root.complain("defaultScheme", "\"\(scheme)\" is neither \"http\" nor \"https\"")
        }
        return CanonicalRules(
            sizes: SizeLadder(gears: sizes.isEmpty ? [1] : sizes, overflow: overflow),
            qualities: QualityLadder(
                gears: qualities.isEmpty ? [100] : qualities,
                defaultQuality: quality
            ),
            origins: origins,
            defaultDialect: root.choice("defaultDialect", default: DialectName.nos),
            defaultScheme: scheme
        )
    }

    private func checkLadder(_ ladder: [Int], _ key: String, _ section: Section) {
        if ladder.isEmpty { section.complain(key, "is empty: a ladder has at least one gear") }
        for (lower, upper) in zip(ladder, ladder.dropFirst()) where lower >= upper {
            section.complain(key, "\(upper) after \(lower): gears go up")
        }
    }

    /// Each origin as URLs are read by it, and as it is fetched from.
    func origins(_ root: Section) -> [(rules: OriginRules, origin: Pipeline.Origin)] {
        var owners: [String: String] = [:]
        var names: Set<String> = []
        let origins = root.list("origins") { tree, path in
            let section = Section(tree, path: path, problems: problems)
            let rules = originRules(section, &owners)
            if !rules.name.isEmpty, !names.insert(rules.name).inserted {
                section.complain("name", "\"\(rules.name)\" is the name of another origin too")
            }
            let sources = sources(section)
            let origin = Pipeline.Origin(
                name: rules.name,
                rendering: rendering(section, rules, sources),
                sources: sources,
                headers: headers(section.section("headers"))
            )
            section.finish()
            return (rules: rules, origin: origin)
        }
        let faults = OriginNames.faults(origins?.map(\.rules) ?? [], hostOwners: owners)
        for (index, fault) in faults { root.complain("origins[\(index)].name", fault) }
        return origins ?? []
    }

    private func originRules(_ section: Section, _ owners: inout [String: String]) -> OriginRules {
        let standard = OriginRules(name: "", hosts: [])
        let parameters = section.section("parameters")
        let rules = OriginRules(
            name: section.string("name") ?? "",
            hosts: (section.strings("hosts") ?? []).map { $0.lowercased() },
            dialect: section.choice("dialect", default: standard.dialect),
            drop: parameters.strings("drop") ?? [],
            keep: parameters.strings("keep") ?? [],
            unknown: parameters.choice("unknown", default: standard.unknown)
        )
        parameters.finish()
        if rules.name.isEmpty { section.complain("name", "is missing") }
        if rules.hosts.isEmpty { section.complain("hosts", "is missing: name at least one") }
        for (index, host) in rules.hosts.enumerated() {
            if let owner = owners.updateValue(rules.name, forKey: host) {
                section.complain("hosts[\(index)]", "\(host) belongs to origin \(owner) already")
            }
            if let fault = OriginNames.fault(ofHost: host) {
                section.complain("hosts[\(index)]", "\"\(host)\" \(fault)")
            }
        }
        return rules
    }

    private enum Renderer: String, CaseIterable { case local, remote }

    private func rendering(
        _ section: Section,
        _ rules: OriginRules,
        _ sources: [DataSource]
    ) -> Pipeline.Origin.Rendering {
        let probes = section.boolean("probe", default: false)
        guard section.choice("render", default: Renderer.local) == .remote else {
            if section.tree("probe") != nil {
                section.complain("probe", "says something only beside render: \"remote\"")
            }
            return .local
        }
        if rules.dialect == .none {
            section.complain(
                "render",
                "with dialect \"none\" a variant has no URL to be fetched from"
            )
        }
        if sources.contains(where: { $0 != .http }) {
            section.complain(
                "sources",
                "a mirror holds originals, and with render: \"remote\" variants are fetched: leave it"
                    + " at [\"http\"]"
            )
        }
        return .remote(probes: probes)
    }

    private func sources(_ section: Section) -> [DataSource] {
        let sources = section.list("sources") { tree, path -> DataSource? in
            if case .string(let text) = tree {
                if text == "http" { return .http }
                problems.add(path, "\"\(text)\" is neither \"http\" nor { mirror: \"...\" }")
                return nil
            }
            let source = Section(tree, path: path, problems: problems)
            defer { source.finish() }
            if let directory = source.string("mirror"), !directory.isEmpty {
                return .mirror(directory: absolute(directory))
            }
            source.complain("mirror", "is missing: name a directory")
            return nil
        }
        guard let sources else { return [.http] }
        if sources.isEmpty { section.complain("sources", "is empty: nothing could be fetched") }
        return sources
    }
}
