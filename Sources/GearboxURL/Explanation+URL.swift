/// Sentences about the parts of a URL and its class.
extension Explanation {
    mutating func explainSite(
        _ request: Request,
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        dialect: DialectName
    ) {
        if !parts.hasScheme {
            let scheme = parts.scheme == .http ? "http" : "https"
            say("The URL begins with //: the default scheme \(scheme) was taken.")
        }
        let site = request.url(forKey: "")
        let givenSite = String(copying: given, 0..<parts.authority.range.upperBound)
        if parts.hasScheme && site != givenSite && request.requestClass != .signed {
            say("Scheme, host and port were normalised to \(site).")
        }
        say("The host is of the origin \(request.origin), whose dialect is \(dialect.rawValue).")
        let end = parts.target.upperBound
        if end < given.count { say("The fragment behind # is never sent and was dropped.") }
    }

    mutating func explainPath(
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        _ normal: NormalTarget
    ) {
        if parts.path.isEmpty { return say("The empty path was made /.") }
        let path = String(copying: normal.bytes.span, normal.ranges.path)
        if path != String(copying: given, parts.path) { say("The path was normalised to \(path).") }
    }

    mutating func explainClass(
        _ request: Request,
        _ reading: QueryReading,
        _ normal: NormalTarget
    ) {
        switch request.requestClass {
        case .simple:
            break
        case .opaque:
            say("The URL is opaque: \(reason(reading.directives, normal)).")
            say("It is fetched as given, stored under its own key and never related to a source.")
        case .signed:
            say("The URL is signed: it is fetched as given, and its key leaves the signature out.")
            if let source = request.source {
                say("It has no directives, so it is another way to fetch the source \(source).")
            } else {
                say("It has directives, so it is stored under its own key and never related.")
            }
        }
    }

    private func reason(_ reading: DirectiveReading, _ normal: NormalTarget) -> String {
        let item =
            reading.opaqueItem.map { String(copying: normal.bytes.span, $0.range) } ?? "its query"
        switch reading.opaqueReason {
        case .pipeline: return "its query holds a |, which makes it a pipeline"
        case .secondQuery: return "its query holds a second ?"
        case .operation: return "\(item) is more than a single resize"
        case .conflict: return "\(item) contradicts the same directive before it"
        case .value: return "\(item) is not in the grammar of the directive"
        case nil: return "its signature covers directives"
        }
    }

    /// Sentences about the parameters that no dialect knows.
    mutating func explainParameters(
        _ request: Request,
        _ normal: NormalTarget,
        _ origin: OriginEntry,
        _ rules: CanonicalRules
    ) {
        guard request.source != nil, let query = normal.ranges.query else { return }
        let bytes = normal.bytes.span
        var items = QueryItems(query)
        var dropped: Set<String> = []
        while let item = items.next(in: bytes) {
            let name = String(copying: bytes, item.name)
            if origin.dialect == .nos, item.value == nil, NOSValues.isBareAxis(bytes, item.name) {
                say("\(name) was dropped: without = it is no axis.")
                continue
            }
            guard !SignatureNames.contains(bytes, item.name),
                !origin.filter.keeps(bytes, item.name),
                isUnknown(item, bytes, origin.dialect, rules), dropped.insert(name).inserted
            else { continue }
            if let pattern = origin.filter.pattern(dropping: item.name, bytes) {
                say("The parameter \(name) was dropped by the pattern \(pattern.text).")
            } else {
                say("The parameter \(name) was dropped: unknown ones are not kept at this origin.")
            }
        }
        if !request.unknownNames.isEmpty {
            let names = request.unknownNames.joined(separator: ", ")
            say("Kept, because they may change the bytes: \(names).")
        }
    }

    private func isUnknown(
        _ item: QueryItem,
        _ bytes: borrowing Span<UInt8>,
        _ dialect: DialectName,
        _ rules: CanonicalRules
    ) -> Bool {
        var ignored = DirectiveReading()
        let quality = rules.qualities.defaultQuality
        switch dialect {
        case .nos:
            return !NOSDialect.read(item, of: bytes, defaultQuality: quality, into: &ignored)
        case .oss:
            return !OSSDialect.read(item, of: bytes, defaultQuality: quality, into: &ignored)
        case .qiniu, .tencent:
            return !QiniuDialect.read(item, of: bytes, defaultQuality: quality, into: &ignored)
        case .none:
            return true
        }
    }
}

extension String {
    /// The text of a range of bytes.
    fileprivate init(copying bytes: borrowing Span<UInt8>, _ range: Range<Int>) {
        var copy: [UInt8] = []
        for index in range { copy.append(bytes[index]) }
        self.init(decoding: copy, as: UTF8.self)
    }
}
