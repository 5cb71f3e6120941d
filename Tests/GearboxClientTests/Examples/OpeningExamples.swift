// The examples of docs/client.md: DocumentedExamplesTests holds the two against each other.
import GearboxClient

enum OpeningExamples {
    static func open(cacheDirectory: String) throws -> String {
        let index = try RelationIndex(path: cacheDirectory + "/index.sqlite")
        let answer = try index.resolve("https://p1.music.126.net/a.jpg?param=200y200")
        switch answer.result {
        case .exact, .reuse, .alias:
            return "show \(answer.path ?? ""), \(answer.size?.width ?? 0) pixels wide"
        case .miss:
            return "fetch \(answer.key)"
        }
    }

    static func bundled(bundle: String, caches: String) throws -> RelationIndex {
        // The index came with the app, its files lie beside it.
        let index = try RelationIndex(path: bundle + "/pictures/index.sqlite")
        // A newer one was downloaded, with files in a folder of its own.
        if downloadIsComplete(caches) {
            try index.swap(to: caches + "/pictures/index.sqlite")
        }
        return index
    }

    static func accept(_ index: RelationIndex, _ url: String) throws -> Resolution {
        // A web view of an old system: no webp, no avif.
        let answer = try index.resolve(url, accept: ["jpg", "png", "gif"])
        return answer
    }

    static func fit(_ index: RelationIndex) throws -> Resolution {
        // 200 is rounded up to the gear 256; the view is 200 pixels wide.
        let url = "https://p1.music.126.net/a.jpg?param=200y200"
        let answer = try index.resolve(url, fit: .request)
        // answer.size is 200x200; answer.transform leads there from the file's picture.
        return answer
    }

    static func refresh(_ index: RelationIndex) {
        do throws(RelationIndexError) {
            if try index.refresh() { print("generation \(index.generation)") }
        } catch {
            switch error.code {
            case .wrongVersion: print("update the app: \(error.message)")
            case .unreadable, .notAnIndex: print("download it again: \(error.message)")
            case .badURL: break
            }
        }
    }

    private static func downloadIsComplete(_ caches: String) -> Bool { !caches.isEmpty }
}
