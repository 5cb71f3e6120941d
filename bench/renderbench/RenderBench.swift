import Foundation
import Imaging

/// Encodes pictures that are in memory already, by the call that the pipeline makes, and says what
/// that takes: the floor under everything that renders.
///
///     renderbench FORMAT QUALITY < PATHS     seconds of CPU time; PATHS: PNG files, a line each
@main
enum RenderBench {
    static func main() throws {
        let words = CommandLine.arguments.dropFirst()
        guard words.count == 2, let quality = words.last.flatMap({ Int($0) }),
            let encoding = encoding(words.first, quality: quality)
        else {
            FileHandle.standardError.write(
                Data("usage: renderbench webp|jpg QUALITY < PATHS\n".utf8)
            )
            exit(2)
        }
        var ticks = 0
        while let path = readLine() {
            let raster = try Image.open(path, loader: .png).standardColour().inMemory()
            let start = clock()
            _ = try raster.encoded(as: encoding)
            ticks += Int(clock() - start)
        }
        print(Double(ticks) / Double(CLOCKS_PER_SEC))
    }

    private static func encoding(_ format: String?, quality: Int) -> Encoding? {
        switch format {
        case "webp": .webp(quality: quality, effort: 4)
        case "jpg": .jpeg(quality: quality, progressive: false)
        default: nil
        }
    }
}
