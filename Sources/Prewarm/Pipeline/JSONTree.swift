internal import FoundationEssentials

/// A JSON5 document as it stands, before anything is known of its keys.
///
/// Decoding straight into structs would stop at the first problem and ignore unknown keys; a person
/// who mends a pipeline wants to see all of them at once.
package enum JSONTree: Decodable, Hashable, Sendable {
    case null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case array([JSONTree])
    case object([String: JSONTree])

    package init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: Key.self) {
            var values: [String: JSONTree] = [:]
            for key in object.allKeys {
                values[key.stringValue] = try object.decode(JSONTree.self, forKey: key)
            }
            self = .object(values)
        } else if var array = try? decoder.unkeyedContainer() {
            var values: [JSONTree] = []
            while !array.isAtEnd { values.append(try array.decode(JSONTree.self)) }
            self = .array(values)
        } else {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let boolean = try? value.decode(Bool.self) {
                self = .boolean(boolean)
            } else if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else {
                self = .string(try value.decode(String.self))
            }
        }
    }

    /// Reads a document.
    ///
    /// - Throws: `PipelineProblem` with the place of a syntax error.
    static func parse(_ bytes: [UInt8]) throws(PipelineProblem) -> JSONTree {
        // The decoder would follow any depth, down to the end of the stack.
        guard depth(of: bytes) <= deepest else {
            throw PipelineProblem(keyPath: "", message: "it is nested more than \(deepest) deep")
        }
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        do {
            return try decoder.decode(JSONTree.self, from: Data(bytes))
        } catch {
            let place = JSON5Syntax.firstFault(in: bytes).map { ": \($0)" } ?? ""
            throw PipelineProblem(keyPath: "", message: "this is not JSON5\(place)")
        }
    }

    private static let deepest = 100

    /// How deep brackets open into each other; brackets in strings and comments count too, which
    /// errs to the safe side.
    private static func depth(of bytes: [UInt8]) -> Int {
        var depth = 0
        var deepest = 0
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                deepest = max(deepest, depth)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
        return deepest
    }

    /// What a person calls this kind of value.
    var kind: String {
        switch self {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .number(let value): JSONTree.text(of: value)
        case .string(let value): "\"\(value)\""
        case .array: "a list"
        case .object: "an object"
        }
    }

    static func text(of number: Double) -> String {
        if let integer = Int(exactly: number) { return String(integer) }
        return String(number)
    }

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
