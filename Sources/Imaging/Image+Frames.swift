internal import CVips

/// How long the frames of an animation are shown, and how often.
package struct FrameTiming: Hashable, Sendable {
    /// Milliseconds for each frame.
    package var delays: [Int]
    /// How often the animation plays; 0 for ever.
    package var loops: Int

    package init(delays: [Int], loops: Int) {
        self.delays = delays
        self.loops = loops
    }

    /// The same with delays of 10 ms and less as 100 ms: what browsers make of them, and what the
    /// WebP encoder writes in any case.
    package var asShown: FrameTiming {
        FrameTiming(delays: delays.map { $0 <= 10 ? 100 : $0 }, loops: loops)
    }
}

extension Image {
    /// The timing of an animation, with a delay for each of its frames.
    package func timing(frames: Int) -> FrameTiming {
        var values: UnsafeMutablePointer<Int32>?
        var count: Int32 = 0
        var delays: [Int] = []
        if unsafe vips_image_get_typeof(pointer, "delay") != 0,
            unsafe vips_image_get_array_int(pointer, "delay", &values, &count) == 0,
            let values = unsafe values
        {
            delays = unsafe UnsafeBufferPointer(start: values, count: Int(count)).map(Int.init)
            delays.removeFirst(min(origin.hiddenFrames, delays.count))
        }
        let filler = Array(repeating: delays.last ?? 100, count: max(0, frames - delays.count))
        return FrameTiming(
            delays: Array((delays + filler).prefix(frames)),
            loops: integer("loop") ?? 0
        )
    }

    /// One frame of a roll: an image whose frames are stacked from top to bottom.
    package func frame(_ index: Int, height: Int) throws(ImagingError) -> Image {
        try cut(x: 0, y: index * height, width: width, height: height)
    }
}

/// The frames of an animation in the making.
@safe package struct FrameStack: ~Copyable {
    private var pointers: [UnsafeMutablePointer<VipsImage>] = unsafe []
    private let origin: ImageOrigin
    private var height = 0

    /// An empty stack for frames made from an image.
    package init(for image: borrowing Image) {
        origin = image.origin
    }

    deinit { unsafe pointers.forEach { unsafe cvips_unref($0) } }

    /// Puts a frame below the others.
    package mutating func append(_ frame: borrowing Image) {
        unsafe g_object_ref(frame.pointer)
        unsafe pointers.append(frame.pointer)
        height = frame.height
    }

    /// The frames as a roll, which encoders write as an animation.
    ///
    /// - Parameter timing: a delay for each frame, and the loops.
    /// - Returns: the roll, in memory.
    /// - Throws: `ImagingError` where the frames differ in size or cannot be computed.
    package borrowing func roll(timing: FrameTiming) throws(ImagingError) -> Image {
        var images = unsafe pointers
        guard let joined = unsafe cvips_stack(&images, Int32(images.count)) else {
            throw origin.failure(.operationFailed, "the frames cannot be joined")
        }
        let roll = try unsafe Image(adopting: joined, origin: origin)
            .inMemory()
        let delays = timing.delays.map { Int32(clamping: $0) }
        unsafe vips_image_set_int(roll.pointer, cvips_page_height_field(), Int32(height))
        unsafe vips_image_set_array_int(roll.pointer, "delay", delays, Int32(delays.count))
        unsafe vips_image_set_int(roll.pointer, "loop", Int32(clamping: timing.loops))
        return roll
    }
}
