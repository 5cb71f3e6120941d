internal import GearboxURL
internal import Rendering
internal import Store

extension SourcePlan {
    /// The plan for scripts.
    ///
    /// - Parameter input: the URL as it was given.
    /// - Returns: one JSON object and a line end; absent values are null.
    package func json(input: String) -> String {
        let directives = request.directives
        let box = directives?.mode == nil ? nil : directives?.box
        let facts = rendering?.facts
        let tree = OrderedTree.object([
            ("input", .string(input)),
            ("class", .string(request.requestClass.rawValue)),
            ("canonical", .string(request.canonical)),
            ("key", .string(request.key)),
            ("origin", .string(request.origin)),
            ("source", .string(request.source)),
            ("render", .string(isRemote ? "remote" : "local")),
            ("mode", .string(directives?.mode?.rawValue)),
            ("width", .integer(box?.width)),
            ("height", .integer(box?.height)),
            ("quality", .integer(directives?.quality)),
            ("format", .string(directives?.format?.rawValue)),
            ("enlarge", directives.map { .boolean($0.enlarge) } ?? .null),
            ("extra", .string(directives?.extra)),
            ("steps", .string(steps)),
            ("lookups", .list(lookups.map(Self.tree))),
            (
                "original",
                original.map { original in
                    .object([
                        ("holding", .string(original.holding.rawValue)),
                        ("path", .string(original.path)),
                        ("version", .string(original.version)),
                        ("format", .string(original.format.rawValue)),
                        ("width", .integer(facts?.size.width)),
                        ("height", .integer(facts?.size.height)),
                        ("bytes", .integer(original.path == nil ? nil : facts?.bytes)),
                        ("frames", .integer(facts?.frames)),
                        ("alpha", facts.map { .boolean($0.hasAlpha) } ?? .null),
                        ("grey", facts.map { .boolean($0.isGrey) } ?? .null),
                        ("progressive", facts.map { .boolean($0.isProgressive) } ?? .null),
                    ])
                } ?? .null
            ),
            (
                "problem",
                problem.map { Self.tree($0.code, $0.message, key: nil) } ?? .null
            ),
            ("decode", rendering.map { Self.tree($0.decode) } ?? .null),
            ("rasters", .list((rendering?.rasters ?? []).map(tree))),
            ("originals", .strings(rendering?.originals ?? [])),
            (
                "failures",
                .list(
                    (rendering?.failures ?? []).map {
                        Self.tree($0.error.code.rawValue, $0.error.message, key: $0.key)
                    }
                )
            ),
            ("variants", .list(variants.map { variantTree($0.key) })),
        ])
        return tree.line + "\n"
    }

    private static func tree(_ lookup: Lookup) -> OrderedTree {
        .object([
            ("place", .string(lookup.place)),
            ("others", .strings(lookup.others)),
            ("finding", .string(lookup.finding.rawValue)),
        ])
    }

    private static func tree(_ code: String, _ message: String, key: String?) -> OrderedTree {
        .object([
            ("key", .string(key)), ("code", .string(code)), ("message", .string(message)),
        ])
    }

    private static func tree(_ decode: RenderPlan.Decode) -> OrderedTree {
        .object([
            ("shrink", .integer(decode.shrink)),
            ("width", .integer(decode.size?.width)),
            ("height", .integer(decode.size?.height)),
            ("allFrames", .boolean(decode.allFrames)),
        ])
    }

    private func tree(_ raster: RenderPlan.Raster) -> OrderedTree {
        let placement = raster.placement
        return .object([
            ("width", .integer(placement.size.width)),
            ("height", .integer(placement.size.height)),
            ("scale", Self.tree(placement.scaled)),
            (
                "crop",
                placement.crop.map { crop in
                    .object([
                        ("x", .integer(crop.x)), ("y", .integer(crop.y)),
                        ("width", .integer(crop.size.width)),
                        ("height", .integer(crop.size.height)),
                    ])
                } ?? .null
            ),
            ("animated", .boolean(raster.isAnimated)),
            // Its place in the list, from 0; null: the decoded picture.
            ("parent", .integer(raster.parent)),
            ("encodes", .list(raster.encodes.map(tree))),
        ])
    }

    private func tree(_ encode: RenderPlan.Encode) -> OrderedTree {
        .object([
            ("format", .string(encode.format.rawValue)),
            ("quality", .integer(encode.quality)),
            ("interlaced", .boolean(encode.isInterlaced)),
            ("keys", .strings(encode.variants.map(\.key))),
        ])
    }

    private static func tree(_ size: Size) -> OrderedTree {
        .object([("width", .integer(size.width)), ("height", .integer(size.height))])
    }

    private func variantTree(_ key: String) -> OrderedTree {
        let variant = variant(key)
        return .object([
            ("key", .string(key)),
            ("asked", .boolean(variant?.isAsked ?? false)),
            ("wanted", .boolean(variant?.isWanted ?? false)),
            ("due", .string(variant?.due?.rawValue)),
        ])
    }
}

extension OrderedTree {
    fileprivate static let null = OrderedTree.word("null")
}
