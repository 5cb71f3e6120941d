internal import Rendering

/// The name of what rendering does to a picture: where it differs from what a variant was made with,
/// the variant is due.
enum RenderFingerprint {
    /// Goes up when a change of the renderer changes the bytes it writes.
    static let revision = 1

    static func name(_ settings: RenderSettings) -> String {
        let background = settings.background
        return [
            "r\(revision)",
            "animation=\(settings.animation.rawValue)",
            "background=\(background.red),\(background.green),\(background.blue)",
            "webp=\(settings.effort.webp)",
            "avif=\(settings.effort.avif)",
            "truncated=\(settings.truncated.rawValue)",
        ].joined(separator: " ")
    }
}
