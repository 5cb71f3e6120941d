/// Which of the parameters that no dialect knows belong to the source.
struct UnknownParameters: Sendable {
    private let drop: [NamePattern]
    private let keep: [NamePattern]
    private let keepsOthers: Bool

    static let keepingAll = UnknownParameters(OriginRules(name: "", hosts: []))

    init(_ rules: OriginRules) {
        drop = rules.drop.map(NamePattern.init)
        keep = rules.keep.map(NamePattern.init)
        keepsOthers = rules.unknown == .keep
    }

    /// Whether a parameter stays; a `drop` pattern wins over a `keep` pattern.
    func keeps(_ bytes: borrowing Span<UInt8>, _ name: Range<Int>) -> Bool {
        for pattern in drop where pattern.matches(bytes, name) { return false }
        if keepsOthers { return true }
        for pattern in keep where pattern.matches(bytes, name) { return true }
        return false
    }
}
