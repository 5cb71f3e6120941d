import GearboxClient
import TestSupport

/// An index of a few sources, for requests to a cache.
struct CacheScene {
    private let scratch: Scratch
    let index: RelationIndex

    init(sources: [SampleIndex.Source], steps: String = "") throws {
        scratch = try Scratch()
        var sample = SampleIndex()
        sample.sources = sources
        sample.steps = steps
        try sample.write(to: scratch.file("index.sqlite"))
        index = try RelationIndex(path: scratch.file("index.sqlite"))
    }

    /// A request for `http://h/NAME`.
    func request(
        _ name: String,
        fit: Resolution.Fit = .gear
    ) throws -> PictureRequest {
        try index.request(for: "http://h/\(name)", fit: fit)
    }
}

extension PictureCache where Picture == String {
    /// Takes in the URL as the picture, in its right size, for a cost.
    @discardableResult
    func insert(_ request: PictureRequest, cost: Int = 1) -> Bool {
        insert(
            DecodedPicture(
                request.url,
                size: request.size ?? PixelSize(width: 1, height: 1),
                cost: cost
            ),
            for: request
        )
    }
}
