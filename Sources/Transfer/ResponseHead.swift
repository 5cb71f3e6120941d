/// The status and header fields of a response that is no redirect.
package struct ResponseHead: Sendable, Hashable {
    package var status: Int
    package var headers: HeaderFields
    /// Where it came from, after redirects.
    package var url: String
}
