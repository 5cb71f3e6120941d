internal import System

/// Texts whose secrets are the environment's and not the file's.
extension PipelineReader {
    private static let mark = "${"
    private static let environment = "env:"

    /// A text with the variables of the environment that it names.
    ///
    /// No message holds what a variable holds.
    func expanded(_ text: String, _ key: String, _ section: Section) -> String? {
        var value = ""
        var rest = text[...]
        while let start = rest.firstRange(of: Self.mark) {
            value += rest[..<start.lowerBound]
            let inside = rest[start.upperBound...]
            guard let end = inside.firstIndex(of: "}"), inside.hasPrefix(Self.environment) else {
                section.complain(key, "only ${env:NAME} may stand behind a $, a variable's name")
                return nil
            }
            let name = String(inside[..<end].dropFirst(Self.environment.count))
            guard let found = variable(named: name, key, section) else { return nil }
            value += found
            rest = inside[inside.index(after: end)...]
        }
        return value + rest
    }

    private func variable(named name: String, _ key: String, _ section: Section) -> String? {
        guard !name.isEmpty else {
            section.complain(key, "${env:} names no variable: ${env:NAME}")
            return nil
        }
        guard let found = ProcessFacts.environment(name) else {
            section.complain(key, "the environment has no variable \(name)")
            return nil
        }
        guard !found.isEmpty else {
            section.complain(key, "the environment's variable \(name) is empty")
            return nil
        }
        return found
    }
}
