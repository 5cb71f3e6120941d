internal import GearboxURL

/// What was asked of one source, in sixteen bytes: hundreds of thousands are held.
struct Wish: Hashable {
    /// A hash of the source's name.
    let source: UInt64
    /// The mode, `nil` 0; the box; the quality.
    private let mode: UInt8
    private var width: UInt16
    private var height: UInt16
    private var quality: UInt8
    /// The format, `nil` 0, and what is asked for besides: nothing that gears change.
    private let rest: UInt16

    init(_ asked: Directives, of source: UInt64) {
        self.source = source
        mode = asked.mode.flatMap { Mode.allCases.firstIndex(of: $0) }.map { UInt8($0) + 1 } ?? 0
        width = UInt16(asked.box.width)
        height = UInt16(asked.box.height)
        quality = UInt8(asked.quality)
        let format = asked.format.flatMap { OutputFormat.allCases.firstIndex(of: $0) } ?? -1
        let flags = [asked.enlarge, asked.interlace, asked.keepsAnimation]
        let flagBits = flags.reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        let axis = asked.axis.horizontal * 11 + asked.axis.vertical
        rest = UInt16((axis << 3 | flagBits) << 3 | (format + 1))
    }

    /// What this becomes on gears: the variants are the distinct ones of these.
    func onGears(_ sizes: SizeLadder, _ qualities: QualityLadder) -> Wish {
        var wish = self
        if mode != 0 {
            let box = sizes.box(for: Size(width: Int(width), height: Int(height)))
            wish.width = UInt16(box.width)
            wish.height = UInt16(box.height)
        }
        wish.quality = UInt8(qualities.gear(for: Int(quality)))
        return wish
    }

    /// The same in every run.
    var hash: UInt64 {
        var hash = StableHash()
        hash.add(source)
        hash.add(UInt64(width) << 48 | UInt64(height) << 32 | UInt64(rest) << 16)
        hash.add(UInt64(mode) << 8 | UInt64(quality))
        return hash.value
    }
}
