internal import GearboxURL
internal import Rendering

extension SourcePlan {
    /// The plan for a person.
    package var text: String {
        var lines = [request.canonical]
        lines += identity.map { "  \($0.padded)\($1)" }
        lines += ["", "original"] + lookups.flatMap(Self.lines) + originalLines
        if let problem { lines.append("  fails       \(problem.code): \(problem.message)") }
        lines += ["", "variants"] + variantLines
        // A mirror's path is decoded, and may hold what would steer a terminal.
        return lines.map(\.printable).joined(separator: "\n") + "\n"
    }

    private var identity: [(String, String)] {
        var rows = [("class", request.requestClass.rawValue), ("key", request.key)]
        rows.append(("origin", request.origin))
        guard let source = request.source else {
            return rows + [("source", "none: it goes verbatim, and is related to nothing")]
        }
        rows += [("source", source), ("asks for", Self.words(request.directives))]
        if !steps.isEmpty { rows.append(("steps", steps)) }
        return rows
    }

    private static func words(_ directives: Directives?) -> String {
        guard let directives else { return "the original's own bytes" }
        var parts: [String] = []
        if let mode = directives.mode {
            parts.append("\(directives.box.width)x\(directives.box.height) in mode \(mode)")
        } else {
            parts.append("the whole picture")
        }
        parts.append("quality \(directives.quality)")
        parts.append(directives.format.map { "as \($0)" } ?? "in the format of its source")
        if directives.enlarge { parts.append("enlarged where it is smaller") }
        if directives.interlace { parts.append("interlaced") }
        if !directives.extra.isEmpty { parts.append(directives.extra) }
        return parts.joined(separator: ", ")
    }

    // MARK: The original

    private static func lines(_ lookup: Lookup) -> [String] {
        let isURL = lookup.finding == .notAsked || lookup.place.hasPrefix("http")
        let finding =
            switch lookup.finding {
            case .there: "there"
            case .notThere: "not there"
            case .notAsked: "would be asked"
            case .notReached: "not reached"
            }
        let name = isURL ? "server" : "mirror"
        return ["  \(name.padded)\(lookup.place): \(finding)"]
            + lookup.others.map { "  \("".padded)else \($0)" }
    }

    private var originalLines: [String] {
        guard let original else {
            if isRemote && lookups.isEmpty {
                return ["  \("held".padded)no: it is not needed"]
            }
            let why =
                request.source == nil || isRemote
                ? "it is stored as it comes"
                : "how it is rendered depends on its size; --size WxH supposes one"
            return ["  \("held".padded)no: \(why)"]
        }
        let held =
            switch original.holding {
            case .kept: original.path ?? ""
            case .mirrored: "in the mirror alone, to be taken in"
            case .supposed: "no: its size is supposed"
            }
        var lines = ["  \("held".padded)\(held)"]
        guard let facts = rendering?.facts else { return lines }
        var words = ["\(original.format)", facts.size.text]
        if facts.isAnimated { words.append("\(facts.frames) frames") }
        if facts.isGrey { words.append("grey") }
        if facts.hasAlpha { words.append("with alpha") }
        if facts.isProgressive { words.append("progressive") }
        if original.path != nil { words.append("\(facts.bytes) bytes") }
        lines.append("  \("picture".padded)\(words.joined(separator: ", "))")
        return lines
    }

    // MARK: The variants

    private var variantLines: [String] {
        var lines: [String] = []
        if isAskedInVain {
            lines.append("  the pipeline's variants do not make what the URL asks for")
        }
        if let rendering {
            if !rendering.rasters.isEmpty {
                lines.append(
                    "  \("decoded".padded)\(Self.words(rendering.decode, rendering.facts))"
                )
            }
            for (index, raster) in rendering.rasters.enumerated() {
                lines += self.lines(raster, index, rendering)
            }
            if !rendering.originals.isEmpty {
                lines.append("  the original's own bytes")
                lines += rendering.originals.map { "      \(state(of: $0))" }
            }
            lines += rendering.failures.map {
                "  fails       \($0.key): \($0.error.code.rawValue): \($0.error.message)"
            }
        }
        if isRemote { return lines + remoteLines }
        let planned = rendering?.keys ?? []
        let rest = variants.filter { !planned.contains($0.key) }
        if !rest.isEmpty && rendering != nil { lines.append("  there, and not wanted any more") }
        return lines + rest.map { "      \(state(of: $0.key))" }
    }

    private var remoteLines: [String] {
        let (wanted, rest) = (variants.filter(\.isWanted), variants.filter { !$0.isWanted })
        var lines = ["  each is fetched from \(request.url(forKey: "")), nothing is rendered here"]
        lines += wanted.map { "      \(state(of: $0.key))" }
        if !rest.isEmpty { lines.append("  not wanted any more, and asked for all the same") }
        return lines + rest.map { "      \(state(of: $0.key))" }
    }

    private static func words(_ decode: RenderPlan.Decode, _ facts: SourceFacts) -> String {
        if decode.allFrames { return "all \(facts.frames) frames" }
        if decode.shrink > 1 { return "at 1/\(decode.shrink) by the JPEG decoder" }
        if let size = decode.size { return "whole, scaled to \(size.text) on the way" }
        return "whole"
    }

    private func lines(
        _ raster: RenderPlan.Raster,
        _ index: Int,
        _ rendering: RenderPlan
    ) -> [String] {
        let placement = raster.placement
        var words = placement.size.text
        if let crop = placement.crop {
            words += " at \(crop.x),\(crop.y) of \(placement.scaled.text)"
        }
        words += raster.isAnimated ? ", each frame" : ""
        words += ", from " + (raster.parent.map { "raster \($0 + 1)" } ?? "the decoded picture")
        var lines = ["  \("raster \(index + 1)".padded)\(words)"]
        for encode in raster.encodes {
            let quality = encode.quality.map { " at quality \($0)" } ?? ""
            lines.append(
                "    \(encode.format)\(quality)\(encode.isInterlaced ? ", interlaced" : "")"
            )
            lines += encode.variants.map { "      \(state(of: $0.key))" }
        }
        return lines
    }

    private func state(of key: String) -> String {
        guard let variant = variant(key) else { return key }
        let state = variant.due.map { "due, \($0.rawValue)" } ?? "made"
        return "\(state): \(key)\(variant.isAsked ? "  <- the URL's" : "")"
    }
}

extension RenderPlan {
    /// Every key that it makes or cannot make.
    fileprivate var keys: Set<String> {
        let rendered = rasters.flatMap { $0.encodes.flatMap { $0.variants.map(\.key) } }
        return Set(rendered + originals + failures.map(\.key))
    }
}

extension Size {
    fileprivate var text: String { "\(width)x\(height)" }
}

extension String {
    /// As the first of two columns.
    fileprivate var padded: String { self + String(repeating: " ", count: max(1, 12 - count)) }

    /// With a sign in place of each control character.
    fileprivate var printable: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            let isControl = scalar.properties.generalCategory == .control
            text.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
        }
    }
}
