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

extension DueReason {
    /// Why a file that was made would have to be made anew; it is not looked at.
    ///
    /// - Parameters:
    ///   - isOfVersion: whether it was made of the version of its source; `nil` where nothing was made
    ///     of this source yet, and the file is of the time when another made it.
    ///   - isOfSettings: whether it was made with the settings of now.
    init?(isOfVersion: Bool?, isOfSettings: @autoclosure () -> Bool) {
        switch isOfVersion {
        case nil: self = .settingsChanged
        case false: self = .originalChanged
        default:
            if isOfSettings() { return nil }
            self = .settingsChanged
        }
    }
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
        return DueReason(
            isOfVersion: version.map { file.version == $0 },
            isOfSettings: file.work
                == RenderFingerprint.name(
                    settings,
                    format: file.format,
                    isAnimated: source.isAnimated,
                    hasAlpha: source.hasAlpha,
                    isOriginal: directives == nil
                )
        )
    }

    /// Whether it may stand beside what is made now of its source: a processed picture never beside
    /// an unprocessed one.
    func fits(_ settings: RenderSettings) -> Bool {
        file.map { RenderFingerprint.hasSteps(of: settings, $0.work) } ?? true
    }
}
