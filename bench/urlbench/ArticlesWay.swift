import Foundation

/// Canonicalisation as an app does it with what Foundation has: parse into components, keep the
/// first of each name, sort by name, round to gears, write back.
enum ArticlesWay {
    private static let sizes = [30, 60, 90, 120, 180, 256, 315, 512, 720, 1024]
    private static let qualities = [39, 69, 89, 100]

    static func canonical(_ url: String) -> String? {
        guard var components = URLComponents(string: url) else { return nil }
        var seen: Set<String> = []
        var items: [URLQueryItem] = []
        for var item in components.queryItems ?? [] where seen.insert(item.name).inserted {
            if item.name == "thumbnail" { item.value = item.value.map(onGear) }
            if item.name == "quality" { item.value = item.value.map(quality) }
            items.append(item)
        }
        items.sort { $0.name.lowercased() < $1.name.lowercased() }
        components.queryItems = items
        return components.string
    }

    private static func onGear(_ text: String) -> String {
        guard let mode = text.first(where: { "xyz".contains($0) }) else { return text }
        let sides = text.split(separator: mode).compactMap { Int($0) }
        guard sides.count == 2 else { return text }
        let (width, height) = (sides[0], sides[1])
        let longer = max(width, height)
        let gear = sizes.first { $0 >= longer } ?? min(4096, (longer + 255) / 256 * 256)
        let shorter = max(1, min(width, height) * gear / longer)
        return width >= height ? "\(gear)\(mode)\(shorter)" : "\(shorter)\(mode)\(gear)"
    }

    private static func quality(_ text: String) -> String {
        guard let quality = Int(text) else { return text }
        return String(qualities.first { $0 >= quality } ?? 100)
    }
}
