/// Where a table has what an entry is made of.
struct TableColumns {
    let count: Int
    let url: Int
    let hash: Int?
    let hits: Int?

    /// Finds the columns by their names, in which the case of letters does not count.
    init(_ names: [String], url column: String) throws(ManifestFault) {
        func place(of name: String) throws(ManifestFault) -> Int? {
            let places = names.indices.filter { names[$0].lowercased() == name.lowercased() }
            guard places.count < 2 else {
                throw ManifestFault(
                    code: .noColumn,
                    message: "the header row has the column \"\(name)\" twice"
                )
            }
            return places.first
        }
        guard let url = try place(of: column) else {
            let shown = names.prefix(10).map { "\"\($0)\"" }.joined(separator: ", ")
            throw ManifestFault(
                code: .noColumn,
                message: "has no column \"\(column)\": its header row has"
                    + " \(shown)\(names.count > 10 ? ", ..." : ""); say which one has the URLs"
            )
        }
        self.url = url
        count = names.count
        hash = try place(of: "hash")
        hits = try place(of: "hits")
    }
}
