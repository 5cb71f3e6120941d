internal import GearboxURL

/// A canonicalised URL as a line of JSON.
enum RequestJSON {
    /// - Parameters:
    ///   - input: the line as it was read.
    ///   - request: what it is.
    ///   - explanation: the sentences of `--explain`.
    /// - Returns: the object and a line end.
    static func line(
        input: String,
        _ request: Request,
        _ explanation: [String]? = nil
    ) -> [UInt8] {
        var json = JSONLine()
        let directives = request.directives
        json.field("input", input)
        json.field("class", request.requestClass.rawValue)
        json.field("canonical", request.canonical)
        json.field("key", request.key)
        json.field("origin", request.origin)
        json.field("source", request.source)
        json.field("mode", directives?.mode?.rawValue)
        json.field("width", directives?.mode == nil ? nil : directives?.box.width)
        json.field("height", directives?.mode == nil ? nil : directives?.box.height)
        json.field("quality", directives?.quality)
        json.field("format", directives?.format?.rawValue)
        json.field("enlarge", directives?.enlarge)
        json.field("extra", directives?.extra)
        if let explanation { json.field("explanation", texts: explanation) }
        return json.endedLine()
    }

    /// - Parameters:
    ///   - input: the line as it was read; `nil` where it was too long to be held.
    ///   - error: why nothing could be made of it.
    /// - Returns: the object and a line end.
    static func line(input: String?, error: String) -> [UInt8] {
        var json = JSONLine()
        json.field("input", input)
        json.field("error", error)
        return json.endedLine()
    }
}
