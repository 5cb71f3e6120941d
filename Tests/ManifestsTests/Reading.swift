import Manifests

/// Reads a manifest from bytes.
enum Reading {
    /// In pieces of every size, which must not matter.
    static func items(
        _ bytes: [UInt8],
        _ shape: ManifestShape,
        name: String = "m",
        pieces: [Int] = [1, 2, 3, 7, 64, 4_096]
    ) throws -> [ManifestItem] {
        let all = try pieces.map { try items(bytes, shape, name: name, piece: $0) }
        for other in all.dropFirst() where other != all[0] { throw Differing() }
        return all[0]
    }

    struct Differing: Error {}

    static func items(
        _ bytes: [UInt8],
        _ shape: ManifestShape,
        name: String,
        piece: Int
    ) throws -> [ManifestItem] {
        var reader = ManifestReader(shape, name: name)
        var items: [ManifestItem] = []
        var place = 0
        while place < bytes.count || reader.hasMore {
            let end = min(place + piece, bytes.count)
            place += try reader.read(bytes.span.extracting(place..<end)) { items.append($0) }
        }
        try reader.finish { items.append($0) }
        return items
    }

    static func items(
        _ text: String,
        _ format: ManifestFormat,
        column: String? = nil,
        base: String? = nil
    ) throws -> [ManifestItem] {
        var shape = ManifestShape(format)
        try shape.set(column: column, base: base)
        return try items(Array(text.utf8), shape)
    }

    /// Why a manifest cannot be read.
    static func error(_ body: () throws -> [ManifestItem]) -> ManifestError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? ManifestError
        }
    }
}

/// An entry in short.
func entry(_ line: Int, _ url: String, hash: String? = nil, hits: Int = 1) -> ManifestItem {
    .entry(ManifestEntry(line: line, url: url, hash: hash, hits: hits))
}

extension [ManifestItem] {
    /// The lines that are bad.
    var badLines: [Int] {
        compactMap { if case .bad(let line, _) = $0 { line } else { nil } }
    }

    /// The URLs of the entries, with their lines.
    var urls: [String] {
        compactMap { if case .entry(let entry) = $0 { "\(entry.line) \(entry.url)" } else { nil } }
    }
}
