internal import GearboxURL
internal import Imaging
package import Store

extension FileFormat {
    /// Whether there is a decoder for it that a pipeline may allow.
    package var canBeDecoded: Bool { loader != nil }

    /// The decoder for the format; `nil` where there is none that may be used on strangers' files.
    var loader: Loader? {
        switch self {
        case .jpeg: .jpeg
        case .png: .png
        case .webp: .webp
        case .gif: .gif
        case .tiff: .tiff
        case .heif, .avif: .heif
        case .jxl: .jxl
        case .svg: .svg
        default: nil
        }
    }

    /// The format of a written file.
    init(_ output: OutputFormat) {
        self =
            switch output {
            case .jpg: .jpeg
            case .png: .png
            case .webp: .webp
            case .gif: .gif
            case .avif: .avif
            }
    }
}
