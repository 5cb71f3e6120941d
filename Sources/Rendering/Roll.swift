internal import GearboxURL
internal import Imaging

/// The frames of an animation in memory, as they are stored: one below the other, not yet turned.
final class Roll {
    private let image: Image
    private let frameHeight: Int
    private let orientation: Int
    private let count: Int

    init(image: consuming Image, header: ImageHeader) {
        frameHeight = header.storedHeight
        orientation = header.orientation
        count = image.height / header.storedHeight
        self.image = image
    }

    /// One frame, upright.
    func frame(_ index: Int) throws(ImagingError) -> Pixels {
        let stored = try image.frame(index, height: frameHeight)
        let frame = orientation == 1 ? stored : try stored.upright()
        let extent = PictureExtent(width: frame.width, height: frame.height)
        return Pixels(image: frame, extent: extent)
    }

    /// A raster of every frame after its steps, stacked again.
    func cut(_ placement: Placement, then steps: [Step]) throws(ImagingError) -> Pixels {
        var frames = FrameStack(for: image)
        for index in 0..<count {
            let raster = try frame(index).cut(placement).processed(by: steps)
            frames.append(raster.image)
        }
        return Pixels(
            image: try frames.roll(timing: image.timing(frames: count).asShown),
            extent: PictureExtent(placement)
        )
    }
}
