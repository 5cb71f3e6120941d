/// When a data source is asked whether a held original has changed.
package enum Revalidation: Sendable, Hashable {
    case always
    /// When what the host's `Cache-Control` allows is over.
    case cacheControl
    /// When it was last asked this long ago.
    case age(Duration)

    /// Whether a held original is good without asking.
    package func trusts(_ held: HeldOriginal) -> Bool {
        // A mirror is always asked: that costs one look at the file.
        guard let age = held.age, age >= .zero, held.validators.fileStamp == nil else {
            return false
        }
        switch self {
        case .always: return false
        case .cacheControl: return age < Self.lifetime(held.validators.cacheControl ?? "")
        case .age(let limit): return age < limit
        }
    }

    /// What `Cache-Control` allows a cache that belongs to one reader.
    package static func lifetime(_ cacheControl: String) -> Duration {
        var lifetime = Duration.zero
        for part in cacheControl.lowercased().split(separator: ",") {
            let directive = part.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
            if directive == "no-cache" || directive == "no-store" { return .zero }
            if directive.hasPrefix("max-age=") {
                let seconds = Int64(directive.dropFirst("max-age=".count)) ?? 0
                lifetime = .seconds(min(max(0, seconds), Int64(Int32.max)))
            }
        }
        return lifetime
    }
}
