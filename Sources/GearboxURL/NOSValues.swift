/// The grammar of NOS's values; `nil` for what is not in it.
enum NOSValues {
    /// The longest side that the service makes.
    static let sideLimit = 4096

    /// `[0-9]{1,5}[xyz][0-9]{1,5}`, both sides at most 4096, a zero side in `x` only.
    static func size(
        _ bytes: borrowing Span<UInt8>,
        _ value: Range<Int>?
    ) -> DirectiveReading.RequestedSize? {
        guard let value else { return nil }
        var index = value.lowerBound
        guard let width = number(bytes, &index, end: value.upperBound, digits: 5),
            index < value.upperBound, let mode = mode(bytes[index])
        else { return nil }
        index += 1
        guard let height = number(bytes, &index, end: value.upperBound, digits: 5),
            index == value.upperBound, width <= sideLimit, height <= sideLimit
        else { return nil }
        if mode != .x, (width == 0) != (height == 0) { return nil }
        return DirectiveReading.RequestedSize(mode: mode, width: width, height: height)
    }

    /// An integer 0...100 of at most three digits.
    static func quality(_ bytes: borrowing Span<UInt8>, _ value: Range<Int>?) -> Int? {
        guard let value else { return nil }
        var index = value.lowerBound
        guard let quality = number(bytes, &index, end: value.upperBound, digits: 3),
            index == value.upperBound, quality <= 100
        else { return nil }
        return quality
    }

    static func format(_ bytes: borrowing Span<UInt8>, _ value: Range<Int>?) -> OutputFormat? {
        guard let value else { return nil }
        return FormatNames.format(bytes, value)
    }

    /// `0` or `1`.
    static func flag(_ bytes: borrowing Span<UInt8>, _ value: Range<Int>?) -> Bool? {
        guard let value, value.count == 1 else { return nil }
        switch bytes[value.lowerBound] {
        case UInt8(ascii: "0"): return false
        case UInt8(ascii: "1"): return true
        default: return nil
        }
    }

    /// Whether the value of `imageView` says that it is set: bare, empty or `1`.
    static func isSet(_ bytes: borrowing Span<UInt8>, _ value: Range<Int>?) -> Bool {
        guard let value, !value.isEmpty else { return true }
        return value.count == 1 && bytes[value.lowerBound] == UInt8(ascii: "1")
    }

    /// `(10|[0-9])_(10|[0-9])`.
    static func axis(_ bytes: borrowing Span<UInt8>, _ value: Range<Int>?) -> Axis? {
        guard let value else { return nil }
        var index = value.lowerBound
        guard let horizontal = tenths(bytes, &index, end: value.upperBound),
            index < value.upperBound, bytes[index] == URLByte.underscore
        else { return nil }
        index += 1
        guard let vertical = tenths(bytes, &index, end: value.upperBound),
            index == value.upperBound
        else { return nil }
        return Axis(horizontal: horizontal, vertical: vertical)
    }

    /// Whether a name is `axis_N_M`.
    static func isBareAxis(_ bytes: borrowing Span<UInt8>, _ name: Range<Int>) -> Bool {
        guard name.count >= 8 else { return false }
        let split = name.lowerBound + 4
        guard ASCIIWord(bytes, name.lowerBound..<split) == NOSNames.axis,
            bytes[split] == URLByte.underscore
        else { return false }
        return axis(bytes, split + 1..<name.upperBound) != nil
    }

    static func letter(of mode: Mode) -> UInt8 {
        switch mode {
        case .x: UInt8(ascii: "x")
        case .y: UInt8(ascii: "y")
        case .z: UInt8(ascii: "z")
        }
    }

    private static func mode(_ byte: UInt8) -> Mode? {
        switch byte {
        case UInt8(ascii: "x"): .x
        case UInt8(ascii: "y"): .y
        case UInt8(ascii: "z"): .z
        default: nil
        }
    }

    /// One digit, or 10.
    private static func tenths(
        _ bytes: borrowing Span<UInt8>,
        _ index: inout Int,
        end: Int
    ) -> Int? {
        let start = index
        guard let value = number(bytes, &index, end: end, digits: 2) else { return nil }
        return index - start == 1 || value == 10 ? value : nil
    }

    /// A run of at least one and at most so many digits; the index ends up behind it.
    private static func number(
        _ bytes: borrowing Span<UInt8>,
        _ index: inout Int,
        end: Int,
        digits: Int
    ) -> Int? {
        var value = 0
        let start = index
        while index < end, URLByte.isDigit(bytes[index]) {
            guard index &- start < digits else { return nil }
            value = value &* 10 &+ Int(bytes[index] &- 0x30)
            index &+= 1
        }
        return index > start ? value : nil
    }
}
