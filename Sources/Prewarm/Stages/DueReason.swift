internal import Rendering

/// Why a wanted variant has to be made.
package enum DueReason: String, Sendable, CaseIterable, Hashable {
    /// It was never made.
    case new
    /// It was made of other bytes of its source.
    case originalChanged = "original changed"
    /// It was made with other settings than the pipeline has now.
    case settingsChanged = "settings changed"
    /// Its file is gone, or has lost its size.
    case fileLost = "file lost"
    /// The run was told to make it anew.
    case refreshed
}

extension VariantRow {
    /// Whether its file is there as these settings would make it of a version of its source.
    func isMade(
        from version: String?,
        of source: SourceRow,
        with settings: RenderSettings
    ) -> Bool {
        dueReason(from: version, of: source, with: settings) == nil
    }

    /// Why it would have to be made anew; its file is not looked at.
    func dueReason(
        from version: String?,
        of source: SourceRow,
        with settings: RenderSettings
    ) -> DueReason? {
        guard let file else { return .new }
        // Nothing was made of this source yet: the file is of the time when another made it.
        guard let version else { return .settingsChanged }
        if file.version != version { return .originalChanged }
        let work = RenderFingerprint.name(
            settings,
            format: file.format,
            isAnimated: source.isAnimated,
            hasAlpha: source.hasAlpha,
            isOriginal: directives == nil
        )
        return file.work == work ? nil : .settingsChanged
    }

    /// Whether it may stand beside what is made now of its source: a processed picture never beside
    /// an unprocessed one.
    func fits(_ settings: RenderSettings) -> Bool {
        file.map { RenderFingerprint.hasSteps(of: settings, $0.work) } ?? true
    }
}
