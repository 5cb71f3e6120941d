/// No grammar: every parameter belongs to the source.
enum NoDialect: Dialect {
    static var hasPipelines: Bool { false }

    @inline(__always)
    static func read(
        _ item: QueryItem,
        of query: borrowing Span<UInt8>,
        defaultQuality: Int,
        into reading: inout DirectiveReading
    ) -> Bool { false }

    static func canWrite(_ directives: Directives) -> Bool { false }

    static func write(
        _ directives: Directives,
        in order: inout ItemOrder,
        to output: inout OutputSpan<UInt8>
    ) {}
}
