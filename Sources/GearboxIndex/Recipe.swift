package import GearboxURL

/// What a client does to a stored picture to get the requested one: scale, then crop.
package struct Recipe: Hashable, Sendable {
    /// `nil`: the picture has this size already.
    package var scale: Size?
    /// `nil`: nothing is cut.
    package var crop: Rectangle?
    /// The size of the result in pixels.
    package var size: Size

    init(from picture: Size, to placement: Placement) {
        scale = picture == placement.scaled ? nil : placement.scaled
        crop = placement.crop
        size = placement.size
    }

    /// What makes the picture of a request before gears of a picture that serves it after gears.
    ///
    /// It never makes a picture larger, but for the pixel that reuse allows.
    ///
    /// - Parameters:
    ///   - picture: the stored picture's size.
    ///   - mode: its mode.
    ///   - requested: the request before gears.
    ///   - source: the size of the source that both are of.
    package init(
        from picture: Size,
        mode: Mode?,
        toRequested requested: Directives,
        of source: Size
    ) {
        let wanted = Geometry.placement(
            source: source,
            mode: requested.mode,
            box: requested.box,
            enlarge: requested.enlarge,
            axis: requested.axis,
            sideLimit: nil
        )
        // A picture that a limit has kept smaller is not made larger again.
        let within = Geometry.placement(
            source: picture,
            mode: requested.mode,
            box: requested.box,
            axis: requested.axis,
            sideLimit: nil
        )
        guard mode == .y, requested.mode == .y else {
            self.init(from: picture, to: picture.covers(wanted.scaled) ? wanted : within)
            return
        }
        // The picture is cut already, to a shape that gears have rounded: no more than the rest
        // goes, on the sides that the request says.
        self.init(
            from: picture,
            to: Geometry.placement(
                source: picture,
                mode: .y,
                box: wanted.size,
                enlarge: picture.covers(wanted.size),
                axis: requested.axis,
                sideLimit: nil
            )
        )
    }

    /// Whether the picture is to be shown as it is.
    package var isEmpty: Bool { scale == nil && crop == nil }
}
