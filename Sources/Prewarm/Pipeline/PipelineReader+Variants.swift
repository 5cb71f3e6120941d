internal import GearboxURL
internal import Rendering
internal import Store

/// Which variants are made, how, and what an original may cost.
extension PipelineReader {
    func variants(_ section: Section, _ rules: CanonicalRules) -> Pipeline.Variants {
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

    func rendering(_ variants: Section, _ limits: Section) -> RenderSettings {
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
                seconds: Double(limits.integer("seconds", default: 60, in: 1...86_400)),
                memory: memory(limits)
            ),
            steps: steps(variants),
            loaders: loaders(limits)
        )
        effort.finish()
        return settings
    }

    private func memory(_ section: Section) -> Int {
        let memory = section.byteCount("memory", default: 1 << 30)
        if memory < MemoryEstimate.least {
            section.complain(
                "memory",
                "\(memory) bytes are too few: a worker takes \(MemoryEstimate.least >> 20) MiB "
                    + "for the smallest picture"
            )
        }
        return memory
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
}
