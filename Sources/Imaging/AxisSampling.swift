/// How one axis of an image is resampled, so that every pixel lands exactly where it belongs: output
/// pixel i is at input coordinate `start + i * step`, where 0 is the middle of the first pixel.
struct AxisSampling: Hashable {
    let start: Double
    let step: Double
    /// How many pixels are wanted.
    let count: Int

    /// Plans an axis.
    ///
    /// - Parameters:
    ///   - extent: where the whole picture lies in the image.
    ///   - scaled: the length that the whole picture is scaled to.
    ///   - offset: the first pixel wanted of the scaled picture.
    ///   - wanted: how many are wanted.
    init(extent: AxisExtent, scaled: Int, offset: Int, wanted: Int) {
        step = extent.length / Double(scaled)
        start = extent.origin + (Double(offset) + 0.5) * step - 0.5
        count = wanted
    }

    /// The first pixel of the image that is wanted, where they are only cut out.
    var cutFrom: Int? { step == 1 && start == start.rounded() ? Int(start) : nil }
}
