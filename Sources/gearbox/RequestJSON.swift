internal import GearboxURL

/// A canonicalised URL as a line of JSON.
enum RequestJSON {
    static func line(input: String, _ request: Request) -> [UInt8] {
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
        return json.ended + [UInt8(ascii: "\n")]
    }

    static func line(input: String, _ error: RequestError) -> [UInt8] {
        var json = JSONLine()
        json.field("input", input)
        json.field("error", error.message)
        return json.ended + [UInt8(ascii: "\n")]
    }
}
