internal import GearboxURL
internal import Store

/// How a variant's raster is written: what the URL leaves open is decided here.
struct Output: Hashable {
    let format: OutputFormat
    let isAnimated: Bool
    let isInterlaced: Bool

    init(directives: Directives, facts: SourceFacts, settings: RenderSettings) {
        let asksForFrames = settings.animation == .keep || directives.keepsAnimation
        let canAnimate = directives.format.map { $0 == .webp || $0 == .gif } ?? true
        isAnimated = facts.isAnimated && asksForFrames && canAnimate
        format =
            directives.format
            ?? OutputFormat.standard(
                forSource: facts.format.fileExtension,
                isAnimated: facts.isAnimated
            )
        // WebP and AVIF know no interlacing: the directive then changes nothing.
        isInterlaced = directives.interlace && format != .webp && format != .avif
    }
}
