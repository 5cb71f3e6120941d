/// The words of a command line, sorted into flags and operands.
struct Arguments {
    private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]

    /// Sorts the words after the command's name.
    ///
    /// - Throws: `UsageError` for what the flags do not allow.
    init(_ words: ArraySlice<String>, flags: [Flag]) throws {
        var words = words
        var onlyOperands = false
        while let word = words.popFirst() {
            guard !onlyOperands, word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            if word == "--" {
                onlyOperands = true
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard let flag = flags.first(where: { $0.name == name }) else {
                throw UsageError(message: "unknown flag \(name)")
            }
            let given = parts.count == 2 ? String(parts[1]) : nil
            guard flag.value != nil else {
                if given != nil { throw UsageError(message: "\(name) takes no value") }
                values[name, default: []].append("")
                continue
            }
            guard let value = given ?? words.popFirst() else {
                throw UsageError(message: "\(name) needs a value: \(name) \(flag.value ?? "")")
            }
            values[name, default: []].append(value)
        }
    }

    func has(_ name: String) -> Bool { values[name] != nil }
    /// The flag's last value.
    func value(_ name: String) -> String? { values[name]?.last }
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// The value of `--cache` of a command that works on a cache directory.
    func cache() throws -> String {
        guard let cache = value("--cache") else {
            throw UsageError(message: "--cache DIR is needed: which cache directory?")
        }
        guard !cache.isEmpty else {
            throw UsageError(message: "--cache is empty; it takes a cache directory")
        }
        return cache
    }

    func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = value(name) else { return nil }
        guard let integer = Int(text), range.contains(integer) else {
            throw UsageError(
                message: "\(name) takes a whole number from \(range.lowerBound) to"
                    + " \(range.upperBound), not \"\(text)\""
            )
        }
        return integer
    }

    func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ name: String,
        of _: Choice.Type
    ) throws -> Choice? {
        guard let text = value(name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let all = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError(message: "\(name) takes one of \(all), not \"\(text)\"")
        }
        return choice
    }
}
