internal import GearboxURL
internal import Imaging
internal import Store

extension FileFormat {
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
