internal import Rendering
internal import Store

/// The name of what rendering does to a picture: where it differs from what a variant was made with,
/// the variant is due.
enum RenderFingerprint {
    /// Goes up when a change of the renderer changes the bytes it writes.
    private static let revision = 2

    /// The settings that a file depends on: another one changes nothing for it.
    ///
    /// - Parameters:
    ///   - settings: the pipeline's.
    ///   - format: the file's, as its extension.
    ///   - isAnimated: whether its source is.
    ///   - hasAlpha: whether its source has.
    /// - Returns: a text that is equal where the file would be.
    static func name(
        _ settings: RenderSettings,
        format: String,
        isAnimated: Bool,
        hasAlpha: Bool
    ) -> String {
        var parts = ["r\(revision)"]
        if isAnimated { parts.append("animation=\(settings.animation.rawValue)") }
        if hasAlpha && format == "jpg" { parts.append(background(settings)) }
        if format == "webp" { parts.append("effort=\(settings.effort.webp)") }
        if format == "avif" { parts.append("effort=\(settings.effort.avif)") }
        return parts.joined(separator: " ")
    }

    /// All settings that may decide whether a picture can be rendered.
    static func full(_ settings: RenderSettings) -> String {
        let limits = settings.limits
        let loaders = settings.loaders.map(\.rawValue).sorted().joined(separator: ",")
        return "r\(revision) animation=\(settings.animation.rawValue) truncated="
            + "\(settings.truncated.rawValue) bytes=\(limits.bytes) pixels=\(limits.pixels)"
            + " frames=\(limits.frames) loaders=\(loaders)"
    }

    private static func background(_ settings: RenderSettings) -> String {
        let colour = settings.background
        return "background=\(colour.red),\(colour.green),\(colour.blue)"
    }
}

extension VariantRow {
    /// Whether its file is there as these settings would make it of a version of its source.
    func isMade(
        from version: String?,
        of source: SourceRow,
        with settings: RenderSettings
    ) -> Bool {
        guard let file else { return false }
        let work = RenderFingerprint.name(
            settings,
            format: file.format,
            isAnimated: source.isAnimated,
            hasAlpha: source.hasAlpha
        )
        return file.version == version && file.work == work
    }
}
