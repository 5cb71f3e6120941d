internal import System

/// Request headers, whose secrets are the environment's and not the file's.
extension PipelineReader {
    private static let mark = "${"
    private static let environment = "env:"

    func headers(_ section: Section) -> [String: String] {
        var headers: [String: String] = [:]
        for name in section.keys {
            guard let text = section.string(name), let value = value(text, name, section) else {
                continue
            }
            if (name + value).utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
                section.complain(name, "a header holds no line ends or control characters")
            }
            headers[name] = value
        }
        return headers
    }

    /// A value with the variables of the environment that it names.
    ///
    /// No message holds what a variable holds.
    private func value(_ text: String, _ name: String, _ section: Section) -> String? {
        var value = ""
        var rest = text[...]
        while let start = rest.firstRange(of: Self.mark) {
            value += rest[..<start.lowerBound]
            let inside = rest[start.upperBound...]
            guard let end = inside.firstIndex(of: "}"), inside.hasPrefix(Self.environment) else {
                section.complain(name, "only ${env:NAME} may stand behind a $, a variable's name")
                return nil
            }
            let variable = String(inside[..<end].dropFirst(Self.environment.count))
            guard let found = ProcessFacts.environment(variable), !found.isEmpty else {
                section.complain(name, "the environment has no variable \(variable)")
                return nil
            }
            value += found
            rest = inside[inside.index(after: end)...]
        }
        return value + rest
    }
}
