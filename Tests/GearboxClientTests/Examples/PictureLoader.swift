import GearboxClient

/// Gives views their pictures: from memory, else from the files of the index, else from the network.
final class PictureLoader<Picture: Sendable>: Sendable {
    /// Decodes a file or what a URL gives, and does what is to be done to it.
    typealias Decode =
        @Sendable (_ place: Place, _ transform: Resolution.Transform?) async throws
        -> DecodedPicture<Picture>

    enum Place: Sendable {
        case file(String)
        case network(String)
    }

    private let index: RelationIndex
    private let cache: PictureCache<Picture>
    private let decode: Decode

    init(index: RelationIndex, costLimit: Int, decode: @escaping Decode) {
        self.index = index
        self.decode = decode
        cache = PictureCache(costLimit: costLimit)
    }

    /// What memory has, at once: for a cell that must not flicker.
    func pictureInMemory(_ url: String) -> PictureCache<Picture>.Hit? {
        guard let request = try? index.request(for: url) else { return nil }
        return cache.picture(for: request)
    }

    func picture(_ url: String) async throws -> PictureCache<Picture>.Hit {
        let request = try index.request(for: url)
        return try await cache.picture(for: request) { [index, decode] in
            let answer = try index.resolve(url)
            if let path = answer.path {
                return try await decode(.file(path), answer.transform)
            }
            return try await decode(.network(request.canonicalURL), nil)
        }
    }

    /// The user has another picture now.
    func forget(_ url: String) throws {
        cache.removeAll(ofSourceOf: try index.request(for: url))
    }

    func memoryIsShort() {
        cache.trim(toCost: cache.costLimit / 4)
    }
}
