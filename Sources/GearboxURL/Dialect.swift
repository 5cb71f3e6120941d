/// The grammar of an image service's URL operations: reads them and writes them.
///
/// Everything else about a URL (splitting, normalising, unknown parameters, signatures) is the
/// same for all services and not a dialect's business.
protocol Dialect {
    /// Whether `|` and a second `?` in a query make it opaque.
    static var hasPipelines: Bool { get }

    /// Reads one item of a percent-normalised query into the reading.
    ///
    /// - Returns: whether the item is in the dialect's words; `false` makes it an unknown parameter.
    static func read(
        _ item: QueryItem,
        of query: borrowing Span<UInt8>,
        defaultQuality: Int,
        into reading: inout DirectiveReading
    ) -> Bool

    /// Whether the service has a way to ask for these directives.
    static func canWrite(_ directives: Directives) -> Bool

    /// Writes the items of the directives, in the order of their names, at most
    /// `RequestLayout.directivesCapacity` bytes.
    static func write(
        _ directives: Directives,
        in order: inout ItemOrder,
        to output: inout OutputSpan<UInt8>
    )
}
