/// A decoder of libvips; a file is only ever opened with the one that the caller names.
///
/// JPEG 2000 is not among them: the decoder of libvips 8.14.1 writes past its buffers on harmless
/// files.
package enum Loader: String, Sendable, CaseIterable, Hashable {
    case jpeg, png, webp, gif, tiff, heif
    case jxl, svg

    /// Whether libvips says that the decoder is not hardened against hostile files.
    package var isUntrusted: Bool {
        switch self {
        case .jpeg, .png, .webp, .gif, .tiff, .heif: false
        case .jxl, .svg: true
        }
    }

    /// Whether several pages of a file are the frames of an animation.
    var isAnimated: Bool { self == .gif || self == .webp }

    /// The operation that opens a file; for SVG the one that reads bytes: from a file it would
    /// follow references to other local files.
    var operation: String { self == .svg ? "svgload_buffer" : "\(rawValue)load" }

    /// The class whose operations are blocked and unblocked together.
    var className: String {
        switch self {
        case .gif: "VipsForeignLoadNsgif"
        case .jpeg: "VipsForeignLoadJpeg"
        case .png: "VipsForeignLoadPng"
        case .webp: "VipsForeignLoadWebp"
        case .tiff: "VipsForeignLoadTiff"
        case .heif: "VipsForeignLoadHeif"
        case .jxl: "VipsForeignLoadJxl"
        case .svg: "VipsForeignLoadSvg"
        }
    }
}
