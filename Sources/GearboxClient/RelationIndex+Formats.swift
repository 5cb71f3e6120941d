extension RelationIndex {
    /// The words that an index has for the formats of files.
    public static let formats: Set<String> = ["jpg", "png", "webp", "gif", "avif", "heif", "tiff"]

    /// The index's words for formats that are named in any case, with blanks around them or as `jpeg`.
    package static func formats(named names: some Sequence<String>) -> Set<String> {
        var formats: Set<String> = []
        for name in names {
            let word = String(
                name.trimmingPrefix { $0 == " " }.reversed()
                    .trimmingPrefix { $0 == " " }.reversed()
            ).lowercased()
            if !word.isEmpty { formats.insert(word == "jpeg" ? "jpg" : word) }
        }
        return formats
    }
}
