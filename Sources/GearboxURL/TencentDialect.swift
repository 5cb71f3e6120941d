/// Tencent Cloud Infinite: `?imageView2/1/w/100/h/100/q/80/format/webp`.
enum TencentDialect: Dialect {
    private static let grammar = ImageView2(hasInterlace: false)

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
