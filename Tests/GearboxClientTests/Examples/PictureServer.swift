import GearboxClient

/// What a server behind the app does with a request for a picture.
struct PictureServer {
    enum Reply: Sendable, Equatable {
        case file(path: String, contentType: String)
        case redirect(to: String)
        case badRequest(String)
        case failure(String)
    }

    private let index: RelationIndex

    /// Reads what `gearbox run` publishes every night; `cores` requests are answered at a time.
    init(cacheDirectory: String, cores: Int) throws {
        index = try RelationIndex(path: cacheDirectory + "/index.sqlite", connections: cores)
    }

    func reply(to url: String, accepting formats: Set<String>) -> Reply {
        do throws(RelationIndexError) {
            let answer = try index.resolve(url, accept: formats)
            // What would have to be scaled first is left to the service behind the URL.
            if let path = answer.path, let format = answer.format, answer.transform == nil {
                return .file(path: path, contentType: "image/\(format == "jpg" ? "jpeg" : format)")
            }
            return .redirect(to: try index.request(for: url).canonicalURL)
        } catch {
            return error.code == .badURL ? .badRequest(error.message) : .failure(error.message)
        }
    }
}
