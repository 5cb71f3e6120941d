internal import GearboxURL
internal import Manifests
internal import Rendering

/// Reads a pipeline file's tree into a `Pipeline`, collecting every problem on the way.
struct PipelineReader {
    /// The folder that relative paths start from: the file's.
    let folder: String
    let problems = Section.Problems()

    func pipeline(from tree: JSONTree, file: String) -> Pipeline {
        let root = Section(tree, path: "", problems: problems)
        let variantSection = root.section("variants")
        let limits = root.section("limits")
        let origins = origins(root)
        let rules = rules(root, origins: origins.map(\.rules))
        let rendering = rendering(variantSection, limits)
        let name = root.string("name") ?? Self.stem(of: file)
        let pipeline = Pipeline(
            name: name,
            file: file,
            manifests: manifests(root),
            cache: absolute(root.string("cache") ?? ".cache/\(name)"),
            rules: rules,
            origins: origins.map(\.origin),
            variants: variants(variantSection, rules),
            rendering: rendering,
            fetching: fetching(root.section("network"), rendering),
            aliases: root.boolean("aliases", default: true),
            originals: originals(root.section("originals")),
            budget: budget(root.section("budget")),
            deadlineSeconds: root.optionalSeconds("deadline"),
            workers: root.optionalInteger("workers", in: 1...1_024)
        )
        if !rendering.steps.isEmpty, pipeline.origins.contains(where: { $0.rendering != .local }) {
            variantSection.complain(
                "steps",
                "are done to no picture that its origin renders: remove them, or render: \"remote\""
            )
        }
        variantSection.finish()
        limits.finish()
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
            let manifest = manifest(section)
            section.finish()
            return manifest
        }
        if let list, list.count(where: { $0.path == "-" }) > 1 {
            root.complain("manifests", "standard input can be read once only: it is named twice")
        }
        return list ?? []
    }

    private func manifest(_ section: Section) -> Pipeline.Manifest? {
        let path = section.string("path")
        if path == nil { section.complain("path", "is missing") }
        let guess = ManifestFormat(fileName: path ?? "")
        var shape = ManifestShape(section.choice("format", default: guess))
        do throws(ManifestShape.Problem) {
            try shape.set(column: section.string("column"), base: section.string("base"))
        } catch {
            section.complain(error.key, error.message)
        }
        return path.map { Pipeline.Manifest(path: absolute($0), shape: shape) }
    }

    private func originals(_ section: Section) -> Pipeline.Originals {
        let maxBytes =
            section.tree("maxBytes") == nil
            ? Pipeline.Originals.standardBytes : section.optionalByteCount("maxBytes")
        let originals = Pipeline.Originals(
            areKept: section.boolean("keep", default: true),
            maxBytes: maxBytes
        )
        section.finish()
        return originals
    }

    private func budget(_ section: Section) -> EvictionBudget {
        let budget = EvictionBudget(
            maxBytes: section.optionalByteCount("maxBytes"),
            maxAgeSeconds: section.optionalSeconds("maxAge")
        )
        section.finish()
        return budget
    }

    // MARK: Paths

    func absolute(_ path: String) -> String {
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
    func onlyImplemented(_ key: String, _ values: [String]) {
        guard let tree = tree(key), tree != .null else { return }
        if case .string(let text) = tree, values.contains(text) { return }
        let allowed = values.isEmpty ? "null" : values.map { "\"\($0)\"" }.joined(separator: ", ")
        complain(key, "\(tree.kind) is not implemented in this version: leave it at \(allowed)")
    }
}
