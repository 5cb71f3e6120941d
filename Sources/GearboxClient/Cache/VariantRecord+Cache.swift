internal import GearboxIndex
internal import GearboxURL

extension VariantRecord {
    /// A decoded picture as the reuse rule sees it.
    ///
    /// It claims no more than every picture that answers the request has: the request's quality,
    /// and alpha unless jpg is asked for. One of another size than the request's stands in for
    /// nothing: nobody knows what was done to it.
    init(of size: PixelSize, for request: PictureRequest) {
        let wanted = request.wanted
        let source = request.indexed?.record
        let isAsExpected = request.size.map { expected in
            abs(expected.width - size.width) <= 1 && abs(expected.height - size.height) <= 1
        }
        let isRelated = wanted != nil && isAsExpected == true && source?.animated == false
        let format =
            wanted?.format
            ?? OutputFormat.standard(
                forSource: source?.format ?? "",
                isAnimated: source?.animated ?? false
            )
        let size = Size(width: size.width, height: size.height)
        self.init(
            key: request.name.key,
            mode: wanted?.mode,
            quality: wanted?.quality ?? 0,
            // Of the formats with alpha one that is not taken for lossless.
            format: format == .jpg ? "jpg" : "webp",
            enlarge: wanted?.enlarge ?? false,
            extra: wanted?.extra ?? "",
            size: isRelated ? size : nil,
            fullSize: wanted?.mode != .y && size == source?.size,
            file: ""
        )
    }
}
