/// Where originals are looked for.
package enum DataSource: Sendable, Hashable {
    /// A folder that holds the origin's paths.
    case mirror(directory: String)
    case http
}
