/// An origin, or what stands for the hosts that no origin lists.
final class OriginEntry: Sendable {
    /// The origin's name; `nil`: the host itself.
    let name: String?
    let dialect: DialectName
    let filter: ParameterFilter

    init(name: String?, dialect: DialectName, filter: ParameterFilter) {
        self.name = name
        self.dialect = dialect
        self.filter = filter
    }
}
