/// A dialect whose operations are those of imageView2.
protocol ImageView2Dialect: Dialect {
    static var grammar: ImageView2 { get }
}

extension ImageView2Dialect {
    static var hasPipelines: Bool { true }

    static func read(
        _ item: QueryItem,
        of query: borrowing Span<UInt8>,
        defaultQuality: Int,
        into reading: inout DirectiveReading
    ) -> Bool {
        grammar.read(item, of: query, defaultQuality: defaultQuality, into: &reading)
    }

    static func canWrite(_ directives: Directives) -> Bool { grammar.canWrite(directives) }

    static func write(
        _ directives: Directives,
        in order: inout ItemOrder,
        to output: inout OutputSpan<UInt8>
    ) {
        grammar.write(directives, in: &order, to: &output)
    }
}
