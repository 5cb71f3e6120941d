internal import Fetching
internal import GearboxURL
internal import Rendering
internal import Store
internal import Transfer

/// Reads a pipeline file's tree into a `Pipeline`, collecting every problem on the way.
struct PipelineReader {
    /// The folder that relative paths start from: the file's.
    let folder: String
    let problems = Section.Problems()

    func pipeline(from tree: JSONTree, file: String) -> Pipeline {
        let root = Section(tree, path: "", problems: problems)
        let variantSection = root.section("variants")
        let limits = root.section("limits")
        let rules = rules(root)
        let rendering = rendering(variantSection, limits)
        let pipeline = Pipeline(
            name: root.string("name") ?? Self.stem(of: file),
            file: file,
            manifests: manifests(root),
            cache: absolute(root.string("cache") ?? ".cache"),
            rules: rules,
            origins: origins(root),
            variants: variants(variantSection, rules),
            rendering: rendering,
            fetching: fetching(root.section("network"), rendering),
            aliases: root.boolean("aliases", default: true),
            keepsOriginals: originals(root.section("originals")),
            deadlineSeconds: root.optionalSeconds("deadline"),
            workers: root.optionalInteger("workers", in: 1...1_024)
        )
        variantSection.finish()
        limits.finish()
        budget(root.section("budget"))
        root.finish()
        return pipeline
    }

    private func manifests(_ root: Section) -> [Pipeline.Manifest] {
        guard root.tree("manifests") != nil else {
            root.complain("manifests", "is missing: name at least one list of URLs, or []")
            return []
        }
        let list = root.list("manifests") { tree, path -> Pipeline.Manifest? in
            if case .string(let text) = tree { return Pipeline.Manifest(path: absolute(text)) }
            let section = Section(tree, path: path, problems: problems)
            let format = section.choice("format", default: Pipeline.Manifest.Format.text)
            let manifest = section.string("path").map {
                Pipeline.Manifest(path: absolute($0), format: format)
            }
            if manifest == nil { section.complain("path", "is missing") }
            section.finish()
            return manifest
        }
        return list ?? []
    }

    // MARK: URLs

    private func rules(_ root: Section) -> CanonicalRules {
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
            origins: originRules(root),
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

    private func originRules(_ root: Section) -> [OriginRules] {
        var owners: [String: String] = [:]
        let standard = OriginRules(name: "", hosts: [])
        let rules = root.list("origins") { tree, path -> OriginRules? in
            let section = Section(tree, path: path, problems: problems)
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
                    section.complain(
                        "hosts[\(index)]",
                        "\(host) belongs to origin \(owner) already"
                    )
                }
                if let fault = OriginNames.fault(ofHost: host) {
                    section.complain("hosts[\(index)]", "\"\(host)\" \(fault)")
                }
            }
            return rules
        }
        for (index, fault) in OriginNames.faults(rules ?? [], hostOwners: owners) {
            root.complain("origins[\(index)].name", fault)
        }
        return rules ?? []
    }

    private func origins(_ root: Section) -> [Pipeline.Origin] {
        var names: Set<String> = []
        let origins = root.list("origins") { tree, path -> Pipeline.Origin? in
            // A problem with the object itself is told by `originRules`.
            guard case .object = tree else { return nil }
            let section = Section(tree, path: path, problems: problems)
            let name = section.string("name") ?? ""
            if !name.isEmpty, !names.insert(name).inserted {
                section.complain("name", "\"\(name)\" is the name of another origin too")
            }
            section.onlyImplemented("render", ["local"])
            let origin = Pipeline.Origin(
                name: name,
                sources: sources(section),
                headers: headers(section.section("headers"))
            )
            for key in ["hosts", "dialect", "parameters"] { _ = section.tree(key) }
            section.finish()
            return origin
        }
        return origins ?? []
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
            if let directory = source.string("mirror") {
                return .mirror(directory: absolute(directory))
            }
            source.complain("mirror", "is missing: name a directory")
            return nil
        }
        guard let sources else { return [.http] }
        if sources.isEmpty { section.complain("sources", "is empty: nothing could be fetched") }
        return sources
    }

    private func headers(_ section: Section) -> [String: String] {
        var headers: [String: String] = [:]
        for name in section.keys {
            guard let value = section.string(name) else { continue }
            if (name + value).utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
                section.complain(name, "a header holds no line ends or control characters")
            }
            headers[name] = value
        }
        return headers
    }

    // MARK: Variants and limits

    private func variants(_ section: Section, _ rules: CanonicalRules) -> Pipeline.Variants {
        let variants = Pipeline.Variants(
            modes: selection(section, "modes") { Mode(rawValue: $0) } ?? .list(Mode.allCases),
            sizes: sizes(section),
            qualities: qualities(section),
            formats: selection(section, "formats") { OutputFormat(rawValue: $0) } ?? .requested
        )
        // No canonical URL would ever ask for what is between two gears.
        if case .list(let sides) = variants.sizes {
            checkGears(sides, "sizes", section) { rules.sizes.gear(for: $0) }
        }
        if case .list(let qualities) = variants.qualities {
            checkGears(qualities, "qualities", section) { rules.qualities.gear(for: $0) }
        }
        return variants
    }

    private func checkGears(
        _ values: [Int],
        _ key: String,
        _ section: Section,
        gear: (Int) -> Int
    ) {
        if values.isEmpty { section.complain(key, "is empty: name at least one, or \"requested\"") }
        for (index, value) in values.enumerated() where gear(value) != value {
            section.complain(
                "\(key)[\(index)]",
                "\(value) is not a gear: canonical URLs ask for \(gear(value))"
            )
        }
    }

    private func rendering(_ variants: Section, _ limits: Section) -> RenderSettings {
        let effort = variants.section("effort")
        let settings = RenderSettings(
            background: background(variants),
            effort: RenderSettings.Effort(
                webp: effort.integer("webp", default: 4, in: 0...6),
                avif: effort.integer("avif", default: 4, in: 0...9)
            ),
            animation: variants.choice("animation", default: .static),
            truncated: limits.choice("truncated", default: .reject),
            limits: RenderSettings.Limits(
                bytes: limits.byteCount("bytes", default: 64 * 1_048_576),
                pixels: limits.integer("pixels", default: 100_000_000, in: 1...10_000_000_000),
                frames: limits.integer("frames", default: 300, in: 1...100_000),
                seconds: Double(limits.integer("seconds", default: 60, in: 1...86_400))
            ),
            loaders: loaders(limits)
        )
        effort.finish()
        if let steps = variants.tree("steps"), steps != .array([]) {
            variants.complain("steps", "steps are not implemented in this version: leave it at []")
        }
        limits.onlyImplemented("memory", ["1GiB"])
        return settings
    }

    private func loaders(_ section: Section) -> Set<FileFormat> {
        guard let names = section.strings("loaders") else { return RenderSettings.standardLoaders }
        var loaders: Set<FileFormat> = []
        for (index, name) in names.enumerated() {
            if let format = FileFormat(rawValue: name), format.canBeDecoded {
                loaders.insert(format)
            } else {
                let all = FileFormat.allCases.filter(\.canBeDecoded).map(\.rawValue)
                section.complain(
                    "loaders[\(index)]",
                    "\"\(name)\" is not one of \(all.joined(separator: ", "))"
                )
            }
        }
        return loaders
    }

    /// `"requested"`, or a list of words.
    private func selection<Element: CaseIterable & RawRepresentable<String> & Hashable>(
        _ section: Section,
        _ key: String,
        element: (String) -> Element?
    ) -> Pipeline.Selection<Element>? {
        guard let tree = section.tree(key) else { return nil }
        if tree == .string("requested") { return .requested }
        let list = section.list(key) { tree, path -> Element? in
            if case .string(let text) = tree, let value = element(text) { return value }
            problems.add(
                path,
                "\(tree.kind) is not one of \(Section.choices(Element.self))"
            )
            return nil
        }
        guard let list else { return nil }
        if tree == .array([]) {
            section.complain(key, "is empty: name at least one, or \"requested\"")
        }
        return .list(list)
    }

    private func qualities(_ section: Section) -> Pipeline.Selection<Int> {
        let tree = section.tree("qualities")
        if tree == nil || tree == .string("requested") { return .requested }
        return .list(section.integers("qualities", in: 1...100) ?? [])
    }

    private func sizes(_ section: Section) -> Pipeline.SizeSelection {
        switch section.tree("sizes") {
        case nil, .string("requested"): return .requested
        case .string("ladder"): return .ladder
        default: return .list(section.integers("sizes", in: 1...4_096) ?? [])
        }
    }

    private func background(_ section: Section) -> RenderSettings.Colour {
        guard let text = section.string("background") else { return .white }
        let digits = text.dropFirst()
        guard text.hasPrefix("#"), digits.utf8.count == 6, let colour = UInt32(digits, radix: 16)
        else {
            section.complain("background", "\"\(text)\" is not a colour such as \"#ffffff\"")
            return .white
        }
        return RenderSettings.Colour(
            red: UInt8(colour >> 16),
            green: UInt8(colour >> 8 & 255),
            blue: UInt8(colour & 255)
        )
    }

    private func fetching(
        _ section: Section,
        _ rendering: RenderSettings
    ) -> FetchConfiguration {
        var fetching = FetchConfiguration()
        fetching.maximumBytes = rendering.limits.bytes
        fetching.formats = rendering.loaders
        fetching.revalidation = revalidation(section)
        fetching.retry.attempts = section.integer("attempts", default: 3, in: 1...100)
        let standard = fetching.transfer
        fetching.transfer.transfers = section.integer(
            "connections",
            default: standard.transfers,
            in: 1...10_000
        )
        fetching.transfer.transfersPerHost = section.integer(
            "connectionsPerHost",
            default: standard.transfersPerHost,
            in: 1...10_000
        )
        fetching.transfer.bytesPerSecond = section.optionalByteCount("bytesPerSecond")
        fetching.transfer.connectTimeout = .seconds(
            section.integer("connectTimeout", default: 10, in: 1...3_600)
        )
        fetching.transfer.timeout = .seconds(
            section.integer("timeout", default: 120, in: 1...86_400)
        )
        fetching.transfer.minimumBytesPerSecond = section.integer(
            "minimumBytesPerSecond",
            default: standard.minimumBytesPerSecond,
            in: 0...Int(Int32.max)
        )
        fetching.transfer.redirects = section.integer(
            "redirects",
            default: standard.redirects,
            in: 0...50
        )
        fetching.transfer.allowPrivateAddresses = section.boolean(
            "allowPrivateAddresses",
            default: false
        )
        fetching.transfer.userAgent =
            section.string("userAgent") ?? "gearbox/\(gearboxVersion)"
        fetching.transfer.proxy = section.string("proxy")
        fetching.transfer.caFile = section.string("caFile").map(absolute)
        fetching.transfer.http2 = section.boolean("http2", default: true)
        section.finish()
        return fetching
    }

    private func revalidation(_ section: Section) -> Revalidation {
        switch section.tree("revalidate") {
        case nil, .string("always"): return .always
        case .string("cache-control"): return .cacheControl
        case .some(let tree):
            if let seconds = Quantity.seconds(tree) { return .age(.seconds(seconds)) }
            section.complain(
                "revalidate",
                "\(tree.kind) is not \"always\", \"cache-control\" or an age such as \"7d\""
            )
            return .always
        }
    }

    private func originals(_ section: Section) -> Bool {
        let keep = section.boolean("keep", default: true)
        section.onlyImplemented("maxBytes", ["10GiB"])
        section.finish()
        return keep
    }

    private func budget(_ section: Section) {
        section.onlyImplemented("maxBytes", [])
        section.onlyImplemented("maxAge", [])
        section.finish()
    }

    // MARK: Paths

    private func absolute(_ path: String) -> String {
        path == "-" || path.hasPrefix("/") ? path : FilePaths.joined(folder, path)
    }

    private static func stem(of file: String) -> String {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        return name.split(separator: ".").first.map(String.init) ?? name
    }
}

extension Section {
    /// A key of the design whose other values this version cannot honour: better an error than a
    /// night that silently does something else.
    fileprivate func onlyImplemented(_ key: String, _ values: [String]) {
        guard let tree = tree(key), tree != .null else { return }
        if case .string(let text) = tree, values.contains(text) { return }
        let allowed = values.isEmpty ? "null" : values.map { "\"\($0)\"" }.joined(separator: ", ")
        complain(key, "\(tree.kind) is not implemented in this version: leave it at \(allowed)")
    }
}
