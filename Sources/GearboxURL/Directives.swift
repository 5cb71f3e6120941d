/// What a URL asks for, in the words of design.md: independent of the dialect that wrote it.
///
/// The value is normal: a zero box has no mode, `axis` is the centre outside mode `y`, and
/// `enlarge` is false where there is no size, so that equal values mean equal pictures.
package struct Directives: Hashable, Sendable, Codable {
    /// `nil` where no size is asked for.
    package var mode: Mode?
    package var box: Size
    /// 1...100; the default is filled in.
    package var quality: Int
    /// `nil`: the source's own format decides.
    package var format: OutputFormat?
    package var enlarge: Bool
    package var axis: Axis
    package var interlace: Bool
    /// `tostatic=0`: an animation is asked for, not its first frame.
    package var keepsAnimation: Bool

    package init(
        mode: Mode? = nil,
        box: Size = .zero,
        quality: Int,
        format: OutputFormat? = nil,
        enlarge: Bool = false,
        axis: Axis = .center,
        interlace: Bool = false,
        keepsAnimation: Bool = false
    ) {
        let mode = box.isZero ? nil : mode
        self.mode = mode
        self.box = mode == nil ? .zero : box
        self.quality = quality
        self.format = format
        self.enlarge = mode == nil ? false : enlarge
        self.axis = mode == .y ? axis : .center
        self.interlace = interlace
        self.keepsAnimation = mode == .y ? false : keepsAnimation
    }

    /// The same directives in another mode, at another size or quality, in another format.
    package func with(
        mode: Mode? = nil,
        box: Size? = nil,
        quality: Int? = nil,
        format: OutputFormat?? = nil
    ) -> Directives {
        Directives(
            mode: mode ?? self.mode,
            box: box ?? self.box,
            quality: quality ?? self.quality,
            format: format ?? self.format,
            enlarge: enlarge,
            axis: axis,
            interlace: interlace,
            keepsAnimation: keepsAnimation
        )
    }

    /// What the index's `extra` column holds: the directives that change the pixels and have no
    /// column of their own, as written in the key, in byte order.
    package var extra: String {
        var parts: [String] = []
        if axis != .center { parts.append("axis=\(axis.horizontal)_\(axis.vertical)") }
        if keepsAnimation { parts.append("tostatic=0") }
        return parts.joined(separator: "&")
    }
}
