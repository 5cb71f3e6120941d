/// One object of a pipeline file while it is read: gives its values typed and checked, and says of
/// every key that nobody asked for that it is unknown.
final class Section {
    /// Where the problems of a whole file come together.
    final class Problems {
        private(set) var list: [PipelineProblem] = []
        func add(_ keyPath: String, _ message: String) {
            list.append(PipelineProblem(keyPath: keyPath, message: message))
        }
    }

    let path: String
    let problems: Problems
    private let values: [String: JSONTree]
    private var asked: Set<String> = []

    init(_ tree: JSONTree, path: String, problems: Problems) {
        self.path = path
        self.problems = problems
        if case .object(let values) = tree {
            self.values = values
        } else {
            values = [:]
            problems.add(path, "\(tree.kind) is not an object")
        }
    }

    var keys: [String] { values.keys.sorted() }

    func keyPath(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    func complain(_ key: String, _ message: String) { problems.add(keyPath(key), message) }

    /// The value as it stands; `nil` where the key is missing.
    func tree(_ key: String) -> JSONTree? {
        asked.insert(key)
        return values[key]
    }

    func section(_ key: String) -> Section {
        Section(tree(key) ?? .object([:]), path: keyPath(key), problems: problems)
    }

    func string(_ key: String) -> String? {
        switch tree(key) {
        case nil, .null: return nil
        case .string(let text): return text
        case .some(let other):
            complain(key, "\(other.kind) is not a string")
            return nil
        }
    }

    func boolean(_ key: String, default standard: Bool) -> Bool {
        switch tree(key) {
        case nil: return standard
        case .boolean(let value): return value
        case .some(let other):
            complain(key, "\(other.kind) is neither true nor false")
            return standard
        }
    }

    func integer(_ key: String, default standard: Int, in range: ClosedRange<Int>) -> Int {
        optionalInteger(key, in: range) ?? standard
    }

    func optionalInteger(_ key: String, in range: ClosedRange<Int>) -> Int? {
        guard let tree = tree(key), tree != .null else { return nil }
        guard let value = Self.integer(tree), range.contains(value) else {
            complain(key, "\(tree.kind) is not a whole number \(Self.words(range))")
            return nil
        }
        return value
    }

    /// A number; where it is missing its default, and a problem where it has none.
    func number(
        _ key: String,
        default standard: Double?,
        in range: ClosedRange<Double>
    ) -> Double? {
        let words =
            "a number from \(JSONTree.text(of: range.lowerBound)) to "
            + JSONTree.text(of: range.upperBound)
        guard let tree = tree(key) else {
            if standard == nil { complain(key, "is missing: \(words)") }
            return standard
        }
        if case .number(let value) = tree, range.contains(value) { return value }
        complain(key, "\(tree.kind) is not \(words)")
        return nil
    }

    func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ key: String,
        default standard: Choice
    ) -> Choice {
        switch tree(key) {
        case nil: return standard
        case .string(let text):
            if let choice = Choice(rawValue: text) { return choice }
            complain(key, "\"\(text)\" is not one of \(Self.choices(Choice.self))")
        case .some(let other):
            complain(key, "\(other.kind) is not one of \(Self.choices(Choice.self))")
        }
        return standard
    }

    /// A list, each element read by `element` with its own key path.
    func list<Element>(_ key: String, element: (JSONTree, String) -> Element?) -> [Element]? {
        switch tree(key) {
        case nil: return nil
        case .array(let trees):
            return trees.enumerated().compactMap { element($1, "\(keyPath(key))[\($0)]") }
        case .some(let other):
            complain(key, "\(other.kind) is not a list")
            return nil
        }
    }

    func strings(_ key: String) -> [String]? {
        list(key) { tree, path in
            if case .string(let text) = tree { return text }
            problems.add(path, "\(tree.kind) is not a string")
            return nil
        }
    }

    func integers(_ key: String, in range: ClosedRange<Int>) -> [Int]? {
        list(key) { tree, path in
            if let value = Self.integer(tree), range.contains(value) { return value }
            problems.add(path, "\(tree.kind) is not a whole number \(Self.words(range))")
            return nil
        }
    }

    func byteCount(_ key: String, default standard: Int) -> Int {
        guard let tree = tree(key) else { return standard }
        if let value = Quantity.bytes(tree) { return value }
        complain(key, "\(tree.kind) is not a size such as 500000 or \"64MiB\"")
        return standard
    }

    func optionalByteCount(_ key: String) -> Int? {
        guard let tree = tree(key), tree != .null else { return nil }
        if let value = Quantity.bytes(tree) { return value }
        complain(key, "\(tree.kind) is not a size such as 500000 or \"64MiB\"")
        return nil
    }

    func optionalSeconds(_ key: String) -> Int? {
        guard let tree = tree(key), tree != .null else { return nil }
        if let value = Quantity.seconds(tree) { return value }
        complain(key, "\(tree.kind) is not a time such as 90, \"30m\", \"5h\" or \"7d\"")
        return nil
    }

    func seconds(_ key: String, default standard: Int, atMost most: Int) -> Int {
        guard let value = optionalSeconds(key) else { return standard }
        guard value <= most else {
            complain(key, "\(value) seconds are more than \(most)")
            return standard
        }
        return value
    }

    /// Complains of every key that was never asked for.
    func finish() {
        for key in values.keys.sorted() where !asked.contains(key) {
            let nearest = asked.min { Self.distance($0, key) < Self.distance($1, key) }
            let hint =
                nearest.flatMap { Self.distance($0, key) <= 3 ? "; did you mean \"\($0)\"?" : nil }
            complain(key, "unknown key\(hint ?? "")")
        }
    }

    static func choices<Choice: CaseIterable & RawRepresentable<String>>(
        _: Choice.Type
    ) -> String {
        Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    }

    private static func integer(_ tree: JSONTree) -> Int? {
        guard case .number(let number) = tree else { return nil }
        return Int(exactly: number)
    }

    private static func words(_ range: ClosedRange<Int>) -> String {
        range.upperBound == Int.max
            ? "of at least \(range.lowerBound)"
            : "from \(range.lowerBound) to \(range.upperBound)"
    }

    /// Levenshtein's distance, for the hint: keys are short.
    private static func distance(_ a: String, _ b: String) -> Int {
        let (a, b) = (Array(a.utf8), Array(b.utf8))
        var row = Array(0...b.count)
        for (i, byte) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for j in b.indices {
                let next = min(row[j] + 1, row[j + 1] + 1, diagonal + (b[j] == byte ? 0 : 1))
                diagonal = row[j + 1]
                row[j + 1] = next
            }
        }
        return row[b.count]
    }
}
