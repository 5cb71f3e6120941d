/// Lines that nothing could be made of, told of without a flood: the first ones each, then their
/// count.
struct BadLines {
    /// Of so many each is told.
    private let shown: Int
    /// What follows their number, as in "without a canonical form".
    private let fault: String
    private(set) var count = 0

    init(shown: Int = 10, fault: String) {
        self.shown = shown
        self.fault = fault
    }

    mutating func add(_ file: String, _ line: Int, _ message: String) {
        count += 1
        if count <= shown { Diagnostics.error("\(file):\(line): \(message)") }
    }

    /// Says how many there were where not each was told of.
    func finish() {
        guard count > shown else { return }
        let first = shown > 0 ? "; the first \(shown) are above" : ""
        Diagnostics.error("\(count) line\(count == 1 ? "" : "s") \(fault)\(first)")
    }
}
