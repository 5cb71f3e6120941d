internal import GearboxURL

extension Canonicalizer {
    /// The key of a variant: the source's own where there are no directives.
    ///
    /// - Returns: `nil` where the origin's dialect has no way to ask for the variant.
    func key(of directives: Directives?, source: String, origin: String) -> String? {
        guard let directives else { return source }
        return dialect(ofOrigin: origin).key(source: source, directives: directives)
    }
}
