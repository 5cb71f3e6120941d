/// Comparing ranges of bytes with words.
extension Span where Element == UInt8 {
    /// Whether a range holds exactly a word.
    func holds(_ word: ASCIIWord, at range: Range<Int>) -> Bool {
        range.count == word.count && begins(with: word, at: range)
    }

    /// Whether a range begins with a word.
    func begins(with word: ASCIIWord, at range: Range<Int>) -> Bool {
        guard range.count >= word.count else { return false }
        for offset in 0..<word.count where self[range.lowerBound + offset] != word[offset] {
            return false
        }
        return true
    }

    /// The decimal number that a range consists of, of at most five digits; `nil` for any other
    /// text.
    func number(at range: Range<Int>) -> Int? {
        guard 1...5 ~= range.count else { return nil }
        var number = 0
        for index in range {
            guard URLByte.isDigit(self[index]) else { return nil }
            number = number * 10 + Int(self[index] - 0x30)
        }
        return number
    }
}
