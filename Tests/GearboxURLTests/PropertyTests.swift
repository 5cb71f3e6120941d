import GearboxURL
import Testing

@Suite("For every URL")
struct PropertyTests {
    @Test("the canonical form is its own canonical form, under any ladder")
    func idempotent() throws {
        let failure = try Sample.failure(salt: 1) { generator in
            let canonicalizer = Canonicalizer(rules: URLGenerator.rules(&generator))
            let url = URLGenerator.pieces(&generator).url
            let first = try canonicalizer.request(for: url)
            let second = try canonicalizer.request(for: first.canonical)
            let isSame =
                second.canonical == first.canonical && second.key == first.key
                && second.origin == first.origin && second.source == first.source
                && second.directives == first.directives
                && second.requestClass == first.requestClass
            return isSame ? nil : "\(url) becomes \(first.canonical), then \(second.canonical)"
        }
        #expect(failure == nil)
    }

    @Test("the order of parameters does not matter, except among those of one name")
    func order() throws {
        let canonicalizer = Canonicalizer(rules: CanonicalRules(origins: URLGenerator.origins))
        let failure = try Sample.failure(salt: 2) { generator in
            var pieces = URLGenerator.pieces(&generator)
            let first = try canonicalizer.request(for: pieces.url)
            let url = pieces.url
            pieces.items = shuffled(pieces.items, &generator)
            let second = try canonicalizer.request(for: pieces.url)
            if second.requestClass != first.requestClass || second.origin != first.origin {
                return "\(url) and \(pieces.url) are not of one class"
            }
            guard first.requestClass == .simple else { return nil }
            let isSame =
                second.canonical == first.canonical && second.source == first.source
                && second.requested == first.requested && second.fetchURL == first.fetchURL
            return isSame ? nil : "\(url) and \(pieces.url) differ"
        }
        #expect(failure == nil)
    }

    /// The items in another order, those of one name in the order they have.
    private func shuffled(_ items: [String], _ generator: inout SeededGenerator) -> [String] {
        func name(_ item: String) -> Substring {
            let name = item.prefix { $0 != "=" }
            return name == "q%75ality" ? "quality" : name
        }
        var queues = Dictionary(grouping: items, by: name)
        return items.shuffled(using: &generator).compactMap { queues[name($0)]?.removeFirst() }
    }

    @Test("nothing is made smaller or worse than asked for, except by a clamp")
    func neverBelow() throws {
        let failure = try Sample.failure(salt: 3) { generator in
            let rules = URLGenerator.rules(&generator)
            let url = URLGenerator.pieces(&generator).url
            let request = try Canonicalizer(rules: rules).request(for: url)
            guard let asked = request.requested, let given = request.directives else {
                return request.requested == nil && request.directives == nil ? nil : url
            }
            let isClamped =
                rules.sizes.overflow == .clamp
                && asked.box.longerSide > rules.sizes.gears.max() ?? 0
            let grows = given.box.width >= asked.box.width && given.box.height >= asked.box.height
            let keepsZeros =
                (given.box.width == 0) == (asked.box.width == 0)
                && (given.box.height == 0) == (asked.box.height == 0)
            let keepsRest =
                given.with(box: asked.box, quality: asked.quality) == asked
                && given.quality >= asked.quality
            return (grows || isClamped) && keepsZeros && keepsRest ? nil : url
        }
        #expect(failure == nil)
    }

    @Test("the same path on two origins gives two sources, and on two hosts of one origin one")
    func origins() throws {
        let canonicalizer = Canonicalizer(rules: CanonicalRules(origins: URLGenerator.origins))
        let groups = [
            ["p1.music.example", "p2.music.example:80", "P1.MUSIC.EXAMPLE"],
            ["img.example:8080"], ["other.example"], ["h"], ["h:81"], ["h."], ["music"],
        ]
        let failure = try Sample.failure(salt: 4) { generator in
            var pieces = URLGenerator.pieces(&generator)
            pieces.scheme = "http://"
            let places = groups.indices.shuffled(using: &generator)
            var names: [String] = []
            for group in [places[0], places[0], places[1]] {
                pieces.host = generator.pick(groups[group])
                let request = try canonicalizer.request(for: pieces.url)
                names.append("\(request.origin)\n\(request.key)")
            }
            return names[0] == names[1] && names[1] != names[2] ? nil : pieces.url
        }
        #expect(failure == nil)
    }

    @Test("different paths on one origin stay different")
    func paths() throws {
        let canonicalizer = Canonicalizer(rules: CanonicalRules())
        let letters = ["a", "b", "%2F", "/", "%2f", "A", "~", "é", "%", "%25", ";", "+", " "]
        // What each becomes; equal ones are the same path.
        let normal = [
            "a", "b", "%2F", "/", "%2F", "A", "~", "%C3%A9", "%25", "%25", ";", "+", "%20",
        ]
        let failure = try Sample.failure(salt: 5) { generator in
            let places = (0..<5).map { _ in Int.random(in: letters.indices, using: &generator) }
            // A stray `%` before a letter would be a valid triplet.
            let given = "/" + places.map { letters[$0] }.joined(separator: "_")
            let expected = "/" + places.map { normal[$0] }.joined(separator: "_")
            let request = try canonicalizer.request(for: "http://h" + given + "?param=1x1")
            return request.source == expected
                ? nil : "\(given) gives \(request.source ?? "nothing")"
        }
        #expect(failure == nil)
    }

    @Test("what fetches a request's original is a request for that original")
    func fetchURL() throws {
        let canonicalizer = Canonicalizer(rules: CanonicalRules(origins: URLGenerator.origins))
        let failure = try Sample.failure(salt: 6) { generator in
            let url = URLGenerator.pieces(&generator).url
            let request = try canonicalizer.request(for: url)
            let fetched = try canonicalizer.request(for: request.fetchURL)
            let isOriginal =
                request.requestClass == .simple
                ? fetched.key == request.source && fetched.directives == nil
                : fetched.key == request.key && fetched.requestClass == request.requestClass
            let isSendable = request.fetchURL.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
            return isOriginal && isSendable && fetched.origin == request.origin ? nil : url
        }
        #expect(failure == nil)
    }

    @Test("the key that a dialect writes for a source and directives is the request's")
    func writtenKeys() throws {
        let failure = try Sample.failure(salt: 7) { generator in
            let canonicalizer = Canonicalizer(rules: URLGenerator.rules(&generator))
            let url = URLGenerator.pieces(&generator).url
            let request = try canonicalizer.request(for: url)
            guard let source = request.source, let directives = request.directives else {
                return nil
            }
            let dialect = canonicalizer.dialect(ofOrigin: request.origin)
            let key = dialect.key(source: source, directives: directives)
            guard key == request.key else { return "\(url): \(key ?? "no key")" }
            // Another variant of the same source is a request that means exactly that variant.
            let other = directives.with(mode: .x, box: Size(width: 4096, height: 1), quality: 100)
            guard let otherKey = dialect.key(source: source, directives: other) else { return nil }
            let again = try canonicalizer.request(for: request.url(forKey: otherKey))
            return again.requested == other && again.source == source ? nil : "\(url): \(otherKey)"
        }
        #expect(failure == nil)
    }
}
