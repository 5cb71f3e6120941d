/// What keeps a line from being a request, whatever the pipeline's rules.
enum LineProblem {
    /// It cannot be read.
    case bad(String)
    /// It holds its picture itself.
    case dataURL

    static let badCode = "bad-line"
    static let dataCode = "data-url"

    var code: String {
        switch self {
        case .bad: Self.badCode
        case .dataURL: Self.dataCode
        }
    }

    var message: String {
        switch self {
        case .bad(let reason): reason
        case .dataURL: "a data: URL holds its picture itself, so there is nothing to fetch"
        }
    }
}
