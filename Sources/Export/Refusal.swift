/// Why a name is left out of an export: a layout that cannot hold it must not hold it wrongly.
package enum Refusal: String, Error, Sendable, CaseIterable, Hashable {
    /// The file name, or the path, would be longer than file systems take.
    case tooLong
    /// Its file name is another's where capitals do not count.
    case sameButForCase
    /// How the library would spell the file name depends on the system that it runs on.
    case uncertainName
    /// Another name of the export has the file name and another file.
    case taken
    /// A server refuses such a request before it looks at any file.
    case notServed
    /// It has more slashes in its query, or empty segments in its path, than the configuration
    /// translates.
    case tooDeep

    /// As it follows a count of names.
    package var reason: String {
        switch self {
        case .tooLong: "with a file name that is too long"
        case .sameButForCase: "with another's file name but for capitals"
        case .uncertainName: "with an extension that not every system reads alike"
        case .taken: "with the file name of another"
        case .notServed: "that a server refuses to look for"
        case .tooDeep: "with too many slashes in the query or empty parts in the path"
        }
    }
}
