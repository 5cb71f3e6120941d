internal import GearboxIndex
internal import GearboxURL

/// A URL, understood by the rules of an index.
///
/// It is made by `RelationIndex.request(for:fit:)`, and is what `PictureCache` knows pictures by.
public struct PictureRequest: Sendable, Hashable {
    /// The URL as given.
    public let url: String
    /// The URL that all ends ask for where nothing local answers.
    public let canonicalURL: String
    /// The canonical URL without scheme and host.
    public let key: String
    /// The group of hosts that serve the same paths.
    public let origin: String
    /// The path of the source, with the parameters that belong to it; `nil` for what is never
    /// related to other pictures.
    public let source: String?
    public let fit: Resolution.Fit
    /// The size of the picture in the end; `nil` where the index does not know its source.
    public let size: PixelSize?
    /// Whether jpg is asked for: a transparent picture is to be drawn on a background.
    public var flattens: Bool { wanted?.format == .jpg }

    /// What is asked for in the end; `nil` for what is never related.
    let wanted: Directives?
    let indexed: IndexedSource?
    let hasSteps: Bool
    let name: PictureName

    init(
        url: String,
        request: Request,
        fit: Resolution.Fit,
        source: IndexedSource?,
        hasSteps: Bool
    ) {
        self.url = url
        self.fit = fit
        self.hasSteps = hasSteps
        canonicalURL = request.canonical
        key = request.key
        origin = request.origin
        self.source = request.source
        indexed = source
        var name = PictureName(
            source: SourceName(origin: request.origin, path: request.source ?? request.key),
            version: source?.version ?? "",
            key: request.key
        )
        var wanted = request.source == nil ? nil : request.directives ?? Directives(quality: 100)
        if fit == .request, let requested = request.requested, requested.mode != nil {
            wanted = wanted?.with(box: requested.box)
            name.key += "#\(requested.box.width)x\(requested.box.height)"
        }
        self.name = name
        self.wanted = wanted
        if let wanted, let size = source?.record.size {
            let placement = Geometry.placement(
                source: size,
                mode: wanted.mode,
                box: wanted.box,
                enlarge: wanted.enlarge,
                axis: wanted.axis,
                sideLimit: nil
            )
            self.size = PixelSize(placement.size)
        } else {
            size = nil
        }
    }
}
