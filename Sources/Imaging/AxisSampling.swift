/// How one axis of an image is resampled so that every pixel lands exactly where it belongs.
///
/// libvips reduces a whole image and places the result itself: it spreads what does not divide
/// evenly over both ends, a shift of up to half a pixel. So the image is first cut or widened to a
/// length at which nothing is left to spread.
enum AxisSampling: Hashable {
    /// Nothing is scaled; pixels from `offset` on are taken.
    case cut(offset: Int)
    /// The axis grows, or moves by a fraction: output pixel i is at input `start + i * step`.
    case enlarge(start: Double, step: Double)
    /// The axis shrinks: the input from `start`, `length` pixels, widened with the pixels of the
    /// edge where it has none, is divided by `step`; then `dropped` pixels are skipped.
    case reduce(start: Int, length: Int, step: Double, dropped: Int)

    /// Plans an axis.
    ///
    /// - Parameters:
    ///   - count: the pixels that the image has.
    ///   - extent: where the whole picture lies in them.
    ///   - scaled: the length that the whole picture is scaled to.
    ///   - offset: the first pixel wanted of the scaled picture.
    ///   - wanted: how many are wanted.
    init(count: Int, extent: AxisExtent, scaled: Int, offset: Int, wanted: Int) {
        let step = extent.length / Double(scaled)
        let isWhole = extent.origin == 0 && extent.length == Double(count)
        if step == 1, extent.origin == extent.origin.rounded() {
            self = .cut(offset: offset + Int(extent.origin))
        } else if step <= 1 {
            self = .enlarge(
                start: extent.origin + (Double(offset) + 0.5) * step - 0.5,
                step: step
            )
        } else if isWhole {
            self = .reduce(start: 0, length: count, step: step, dropped: offset)
        } else {
            self = Self.aligned(
                origin: extent.origin,
                step: step,
                offset: offset,
                wanted: wanted
            )
        }
    }

    /// What is left to do once the axis has been reduced: output pixel i is at `start + i * step`.
    var rest: (start: Double, step: Double, grows: Bool) {
        switch self {
        case .cut(let offset): (Double(offset), 1, false)
        case .enlarge(let start, let step): (start, step, true)
        case .reduce(_, _, _, let dropped): (Double(dropped), 1, false)
        }
    }

    /// Chooses how many extra pixels to compute on both sides so that the input begins and ends as
    /// near as can be to whole pixels.
    private static func aligned(
        origin: Double,
        step: Double,
        offset: Int,
        wanted: Int
    ) -> AxisSampling {
        // The kernel reaches three output pixels far; the rest is room to search.
        let margins = 3..<20
        var best = AxisSampling.cut(offset: 0)
        var least = Double.infinity
        for before in margins {
            let edge = origin + Double(offset - before) * step
            for after in margins {
                let exact = Double(before + wanted + after) * step
                let length = exact.rounded()
                // libvips shifts by half of what does not fit.
                let begin = edge + (exact - length) / 2
                let start = begin.rounded()
                guard abs(start - begin) < least else { continue }
                least = abs(start - begin)
                best = .reduce(
                    start: Int(start),
                    length: Int(length),
                    step: step,
                    dropped: before
                )
            }
        }
        return best
    }
}
