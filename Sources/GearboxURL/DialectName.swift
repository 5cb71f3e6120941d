/// The services whose URL grammar is known.
package enum DialectName: String, Sendable, CaseIterable, Hashable {
    /// NetEase NOS: `?imageView=1&thumbnail=100x100`.
    case nos
    /// Aliyun OSS: `?x-oss-process=image/resize,w_100`.
    case oss
    /// Qiniu: `?imageView2/2/w/100`.
    case qiniu
    /// Tencent Cloud Infinite: `?imageView2/2/w/100`.
    case tencent
    /// No grammar: every parameter belongs to the source.
    case none

    /// The key of a variant, as this dialect writes it.
    ///
    /// - Parameters:
    ///   - source: the key of the plain source, with its kept parameters.
    ///   - directives: what the variant is, already on gears.
    /// - Returns: the canonical key; `nil` where the service has no way to ask for this.
    package func key(source: String, directives: Directives) -> String? {
        switch self {
        case .nos: Self.key(NOSDialect.self, source, directives)
        case .oss: Self.key(OSSDialect.self, source, directives)
        case .qiniu: Self.key(QiniuDialect.self, source, directives)
        case .tencent: Self.key(TencentDialect.self, source, directives)
        case .none: Self.key(NoDialect.self, source, directives)
        }
    }

    private static func key<Grammar: Dialect>(
        _ dialect: Grammar.Type,
        _ source: String,
        _ directives: Directives
    ) -> String? {
        guard dialect.canWrite(directives) else { return nil }
        let text = Array(source.utf8)
        let bytes = text.span
        var pathEnd = 0
        while pathEnd < bytes.count, bytes[pathEnd] != URLByte.question { pathEnd += 1 }
        var kept = KeptParameters.none
        if pathEnd < bytes.count {
            var items = QueryItems(pathEnd + 1..<bytes.count)
            while let item = items.next(in: bytes) { kept.append(item, of: bytes) }
        }
        let capacity = bytes.count + RequestLayout.directivesCapacity
        let key = [UInt8](capacity: capacity) { output in
            output.append(bytes, 0..<pathEnd)
            var order = ItemOrder(merging: kept)
            dialect.write(directives, in: &order, to: &output)
            order.finish(&output)
        }
        return String(decoding: key, as: UTF8.self)
    }
}
