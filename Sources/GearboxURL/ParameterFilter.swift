/// Which of the parameters that no dialect knows belong to the source.
struct ParameterFilter: Sendable {
    private let drop: [NamePattern]
    private let keep: [NamePattern]
    private let keepsOthers: Bool

    static let keepingAll = ParameterFilter(OriginRules(name: "", hosts: []))

    init(_ rules: OriginRules) {
        drop = rules.drop.map(NamePattern.init)
        keep = rules.keep.map(NamePattern.init)
        keepsOthers = rules.unknown == .keep
    }

    /// Whether a parameter stays; a `drop` pattern wins over a `keep` pattern.
    func keeps(_ bytes: borrowing Span<UInt8>, _ name: Range<Int>) -> Bool {
        if pattern(dropping: name, bytes) != nil { return false }
        if keepsOthers { return true }
        for pattern in keep where pattern.matches(bytes, name) { return true }
        return false
    }

    /// The first `drop` pattern that names a parameter.
    func pattern(dropping name: Range<Int>, _ bytes: borrowing Span<UInt8>) -> NamePattern? {
        for pattern in drop where pattern.matches(bytes, name) { return pattern }
        return nil
    }
}
