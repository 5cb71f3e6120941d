/// Path and query of a URL in their normal form, where they were not given in it.
struct NormalTarget {
    private(set) var bytes: [UInt8]
    private(set) var ranges: TargetRanges

    init(_ url: borrowing Span<UInt8>, _ parts: URLParts) {
        // Every byte may become three.
        bytes = [UInt8](capacity: 3 * parts.path.count) { output in
            PercentEncoding.appendNormal(url, parts.path, allowed: URLByte.isPath, to: &output)
        }
        DotSegments.remove(from: &bytes)
        ranges = TargetRanges(path: 0..<bytes.count)
        guard let given = parts.query else { return }
        bytes.append(addingCapacity: 3 * given.count) { output in
            PercentEncoding.appendNormal(url, given, allowed: URLByte.isQuery, to: &output)
        }
        let query = ranges.path.upperBound..<bytes.count
        ranges.query = query
        ranges.hasPipe = Self.holdsPipe(bytes, query)
    }

    private static func holdsPipe(_ bytes: [UInt8], _ query: Range<Int>) -> Bool {
        for index in query.dropLast(2) where bytes[index] == URLByte.percent {
            if bytes[index + 1] == UInt8(ascii: "7"), bytes[index + 2] == UInt8(ascii: "C") {
                return true
            }
        }
        return false
    }
}
