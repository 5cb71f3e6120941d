import Foundation
import GearboxURL

/// Measures canonicalisation through the library against the way with URLComponents, and writes
/// URLs for the filter to be measured with.
///
///     urlbench library [COUNT]     URLs a second on one core, both ways on the same URLs
///     urlbench write COUNT         so many typical URLs, a line each, to standard output
@main
enum URLBench {
    static func main() {
        let words = CommandLine.arguments.dropFirst()
        let count = words.dropFirst().first.flatMap { Int($0) }
        switch (words.first, count) {
        case ("library", let count): LibraryRates(of: count ?? 100_000).report()
        case ("write", let count?): write(count)
        default:
            FileHandle.standardError.write(
                Data("usage: urlbench library [COUNT] | urlbench write COUNT\n".utf8)
            )
            exit(2)
        }
    }

    private static func write(_ count: Int) {
        var urls = TypicalURLs()
        var bytes: [UInt8] = []
        for _ in 0..<count {
            urls.append(to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
            if bytes.count >= 1 << 20 {
                FileHandle.standardOutput.write(Data(bytes))
                bytes.removeAll(keepingCapacity: true)
            }
        }
        FileHandle.standardOutput.write(Data(bytes))
    }
}
