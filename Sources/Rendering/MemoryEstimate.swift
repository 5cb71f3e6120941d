internal import GearboxURL
internal import Store

/// How much memory a worker has at most while it carries out a plan.
///
/// For all but contrived pictures it is an upper bound, and about twice what it turns out to be at
/// most. Who enforces a limit looks at the worker, too.
///
/// A pure function of the plan; the factors were measured with libvips 8.14 and the codecs of
/// Debian 12, on files of up to a hundred million pixels.
package struct MemoryEstimate: Hashable, Sendable {
    /// What the process has before it opens the first file.
    package static let standing = 48 << 20
    /// What any picture needs beside its pixels.
    private static let buffers = 12 << 20

    /// What a worker may have at the least, to render anything.
    package static let least = 96 << 20

    /// What the pictures add to that.
    package let growth: Int
    /// The whole process.
    package var bytes: Int { Self.standing + growth }

    package init(_ plan: RenderPlan) {
        let facts = plan.facts
        let decoding = Self.decoding(facts)
        let copying = plan.originals.isEmpty ? 0 : 2 * facts.bytes
        guard !plan.rasters.isEmpty else {
            growth = Self.buffers + max(decoding, copying)
            return
        }
        let decoded = Self.decodedBytes(plan)
        // The turned copy is made while the stored one is there.
        let reading = decoding + (facts.isTurned ? 2 : 1) * decoded
        growth = Self.buffers + max(reading, decoded + Self.making(plan), copying)
    }

    /// What the decoder itself holds while it reads.
    private static func decoding(_ facts: SourceFacts) -> Int {
        let pixels = facts.size.pixels
        // Rows are decoded in strips, and strips wait for the slowest reader.
        let strips = facts.size.width * facts.pixelBytes * 512
        switch facts.format {
        case .jpeg:
            // The coefficients of all scans; chroma may be there in full.
            return strips + (facts.isProgressive ? 2 * facts.pixelBytes * pixels : 0)
        case .png:
            return strips + (facts.isProgressive ? facts.pixelBytes * pixels : 0)
        case .gif:
            return facts.bytes + 8 * pixels
        case .webp:
            return facts.bytes + (facts.isAnimated ? 12 : 8) * pixels
        case .heif, .avif:
            return facts.bytes + 8 * pixels
        case .tiff:
            // A strip may be the whole picture.
            return strips + facts.pixelBytes * pixels
        default:
            return facts.bytes + 16 * pixels
        }
    }

    /// The decoded picture that all rasters are cut from.
    private static func decodedBytes(_ plan: RenderPlan) -> Int {
        let facts = plan.facts
        if plan.decode.allFrames {
            // The roll, and its first frame on its own.
            return bands(facts) * facts.size.pixels * (facts.frames + 1)
        }
        let size = plan.decode.size ?? facts.size
        let shrink = plan.decode.shrink
        return bands(facts) * (size.width / shrink + 1) * (size.height / shrink + 1)
    }

    /// The rasters: those that others are cut from stay, and one is being made and encoded.
    private static func making(_ plan: RenderPlan) -> Int {
        let bands = bands(plan.facts)
        var kept = 0
        var most = 0
        for (index, raster) in plan.rasters.enumerated() {
            let pixels = raster.placement.size.pixels
            let frames = raster.isAnimated ? plan.facts.frames : 1
            // Frames are made one by one, then joined.
            let own = bands * pixels * (raster.isAnimated ? 2 * frames : 1)
            let encoding = raster.encodes.map {
                Self.encoding($0, pixels: pixels, frames: frames)
            }
            most = max(most, kept + own + (encoding.max() ?? 0))
            if plan.rasters[(index + 1)...].contains(where: { $0.parent == index }) { kept += own }
        }
        return most
    }

    /// What an encoder holds, its output included.
    private static func encoding(
        _ encode: RenderPlan.Encode,
        pixels: Int,
        frames: Int
    ) -> Int {
        switch encode.format {
        // The coefficients of the whole picture; from 90 up chroma is there in full.
        case .jpg: ((encode.quality ?? 100) < 90 ? 5 : 8) * pixels
        case .png: (encode.isInterlaced ? 8 : 4) * pixels
        // Its notes of what it will write: for a grainy photograph; noise takes twice as much.
        case .webp:
            ((encode.quality ?? 100) < 95 ? 14 : 22) * pixels
                + (frames > 1 ? 2 * frames * pixels : 0)
        case .gif: 10 * pixels * frames
        case .avif: 40 * pixels
        }
    }

    private static func bands(_ facts: SourceFacts) -> Int {
        (facts.isGrey ? 1 : 3) + (facts.hasAlpha ? 1 : 0)
    }
}
