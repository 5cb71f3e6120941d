import GearboxURL
import Imaging
import PictureSupport
import Rendering
import Store
import TestSupport

/// A renderer over a scratch folder, and short ways to ask things of it.
struct Bench: Sendable {
    let scratch: Scratch
    let renderer: Renderer
    let store: Store

    init(_ settings: RenderSettings = RenderSettings()) throws {
        scratch = try Scratch()
        store = try Store(root: scratch.path)
        renderer = try Renderer(settings: settings, store: store)
    }

    /// Draws a file with Pillow and returns its path.
    func draw(_ script: String, _ name: String) throws -> String {
        try Pillow.run(script, in: scratch)
        return scratch.file(name)
    }

    func render(
        _ original: String,
        _ wanted: [WantedVariant],
        due: Set<String>? = nil
    ) throws -> RenderedSource {
        let head = try ImageFile.head(of: original, bytes: FileFormat.headLength).head
        let format = FileFormat.sniff(head.span)
        return try renderer.render(
            RenderJob(original: original, format: format, wanted: wanted, due: due)
        ).adopted(by: store)
    }

    /// What Pillow says of rendered variants, in their order.
    func read(_ variants: [RenderedVariant]) throws -> [Reading] {
        try Pillow.read(variants.map { scratch.file($0.file) }, in: scratch)
    }

    func read(_ variant: RenderedVariant) throws -> Reading { try read([variant])[0] }
}

extension WantedVariant {
    /// The original's own bytes.
    static let original = WantedVariant(key: "/plain", directives: nil)

    /// A variant whose key says what it is.
    static func made(
        _ mode: Mode? = nil,
        _ width: Int = 0,
        _ height: Int = 0,
        quality: Int = 89,
        format: OutputFormat? = nil,
        enlarge: Bool = false,
        axis: Axis = .center,
        interlace: Bool = false,
        keepsAnimation: Bool = false
    ) -> WantedVariant {
        let directives = Directives(
            mode: mode,
            box: Size(width: width, height: height),
            quality: quality,
            format: format,
            enlarge: enlarge,
            axis: axis,
            interlace: interlace,
            keepsAnimation: keepsAnimation
        )
        return WantedVariant(key: "\(directives)", directives: directives)
    }
}

extension RenderedSource {
    func variant(_ wanted: WantedVariant) -> RenderedVariant? {
        variants.first { $0.key == wanted.key }
    }
}
