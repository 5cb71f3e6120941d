/// What `--explain` says of a line, for people.
enum ExplanationText {
    /// What is printed of one line.
    ///
    /// - Parameters:
    ///   - line: what was read; `nil` where it was too long to be held.
    ///   - sentences: what is said of it.
    ///   - canonical: what it becomes; `nil` where it has no canonical form.
    /// - Returns: the URL, a sentence a line below it, the canonical URL, and a blank line.
    static func block(_ line: String?, _ sentences: [String], _ canonical: String?) -> String {
        var lines = [line.map(printable) ?? "(a line that is too long)"]
        lines += sentences.map { "  " + $0 }
        if let canonical { lines.append("  Canonical: " + canonical) }
        return lines.joined(separator: "\n") + "\n\n"
    }

    /// The text without what a terminal would take for a command.
    private static func printable(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars {
            if scalar.properties.generalCategory == .control {
                for byte in String(scalar).utf8 {
                    shown += "%" + String(Int(byte) + 0x100, radix: 16).uppercased().dropFirst()
                }
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}
