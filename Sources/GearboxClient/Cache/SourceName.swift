internal import GearboxIndex

/// A source, by what tells it from all others.
struct SourceName: Sendable, Hashable {
    var origin: String
    var path: String

    /// What is never related is a source of its own.
    init(_ request: PictureRequest) {
        origin = request.origin
        path = request.source ?? request.key
    }
}

/// A picture, by what tells it from all others.
struct PictureName: Sendable, Hashable {
    var source: SourceName
    /// Of the source's bytes; empty where they are not known.
    var version: String
    var key: String

    init(_ request: PictureRequest) {
        source = SourceName(request)
        version = request.indexed?.version ?? ""
        key = request.pictureKey
    }
}
