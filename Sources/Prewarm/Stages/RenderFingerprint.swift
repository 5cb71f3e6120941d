internal import Digest
internal import GearboxURL
internal import Rendering
internal import Store

/// The name of what rendering does to a picture: where it differs from what a variant was made with,
/// the variant is due.
enum RenderFingerprint {
    /// Goes up when a change of the renderer changes the bytes it writes.
    private static let revision = 2
    private static let original = "original"
    /// They come last, as no other part has blanks in it.
    private static let stepsMark = "steps="

    /// The settings that a file depends on: another one changes nothing for it.
    ///
    /// - Parameters:
    ///   - settings: the pipeline's.
    ///   - format: the file's, as its extension.
    ///   - isAnimated: whether its source is.
    ///   - hasAlpha: whether its source has.
    ///   - isOriginal: whether it is the original's own bytes, which nothing changes.
    /// - Returns: a text that is equal where the file would be.
    static func name(
        _ settings: RenderSettings,
        format: String,
        isAnimated: Bool,
        hasAlpha: Bool,
        isOriginal: Bool
    ) -> String {
        if isOriginal { return original }
        var parts = ["r\(revision)"]
        if isAnimated { parts.append("animation=\(settings.animation.rawValue)") }
        if hasAlpha && format == "jpg" { parts.append(background(settings)) }
        if format == "webp" { parts.append("effort=\(settings.effort.webp)") }
        if format == "avif" { parts.append("effort=\(settings.effort.avif)") }
        if !settings.steps.isEmpty { parts.append(steps(settings)) }
        return parts.joined(separator: " ")
    }

    /// Whether a file was made with the same steps, whatever else has changed since.
    static func hasSteps(of settings: RenderSettings, _ name: String) -> Bool {
        let made = name.firstRange(of: stepsMark).map { name[$0.lowerBound...] }
        return name == original || made == (settings.steps.isEmpty ? nil : steps(settings)[...])
    }

    /// All settings that may decide whether a picture can be rendered.
    static func full(_ settings: RenderSettings) -> String {
        let limits = settings.limits
        let loaders = settings.loaders.map(\.rawValue).sorted().joined(separator: ",")
        return "r\(revision) animation=\(settings.animation.rawValue) truncated="
            + "\(settings.truncated.rawValue) bytes=\(limits.bytes) pixels=\(limits.pixels)"
            + " frames=\(limits.frames) seconds=\(limits.seconds ?? 0) memory=\(limits.memory)"
            + " loaders=\(loaders)"
            + (settings.steps.isEmpty ? "" : " \(steps(settings))")
    }

    /// Names what is rendered at once of an original: where it is equal and the bytes are, every file
    /// is.
    static func set(of variants: [VariantRow], _ settings: RenderSettings) -> String {
        let wanted = variants.map { variant in
            guard let what = variant.directives else { return original }
            return "\(what.mode?.rawValue ?? "-") \(what.box.width)x\(what.box.height)"
                + " \(what.quality) \(what.format?.rawValue ?? "-") \(what.extra)"
                + " \(what.enlarge) \(what.interlace) \(what.keepsAnimation)"
        }
        let effort = "effort=\(settings.effort.webp),\(settings.effort.avif)"
        let text =
            "\(full(settings)) \(background(settings)) \(effort)\n"
            + wanted.sorted().joined(separator: "\n")
        // Two that are not equal would have to have one digest.
        return (try? ContentDigest(of: Array(text.utf8).span, .sha256).hex) ?? text
    }

    private static func steps(_ settings: RenderSettings) -> String {
        stepsMark + settings.steps.text
    }

    private static func background(_ settings: RenderSettings) -> String {
        let colour = settings.background
        return "background=\(colour.red),\(colour.green),\(colour.blue)"
    }
}
