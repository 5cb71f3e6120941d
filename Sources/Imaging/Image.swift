internal import CVips

/// One picture in libvips' hands: pixels in memory, or a recipe that computes them when asked.
///
/// An image from `open` can be read once, from top to bottom; `inMemory` makes one that can be read
/// often. Create, use and drop an image on one thread.
@safe package struct Image: ~Copyable {
    let pointer: UnsafeMutablePointer<VipsImage>
    let origin: ImageOrigin

    /// Takes over a reference.
    init(adopting pointer: UnsafeMutablePointer<VipsImage>, origin: ImageOrigin) {
        unsafe self.pointer = unsafe pointer
        self.origin = origin
    }

    deinit { unsafe cvips_unref(pointer) }

    /// What is read of a file with several frames.
    package enum Frames: Sendable {
        /// The first frame, of a file with several pages the main one.
        case first
        /// All of them, stacked from top to bottom.
        case all
    }

    /// Opens a file and reads its header; pixels are decoded later, as they are needed.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - loader: the decoder; nothing is guessed.
    ///   - frames: what is read of an animation; ignored by loaders that know none.
    ///   - shrink: 1, 2, 4 or 8: the decoder makes the picture that much smaller. JPEG only, and no
    ///     more than the shorter side has pixels.
    ///   - acceptsTruncated: whether missing pixels are filled in silently.
    ///   - deadline: when work on this image and all that is made of it stops.
    /// - Returns: an image that can be read once, from top to bottom.
    /// - Throws: `ImagingError` where the decoder refuses the file.
    package static func open(
        _ path: String,
        loader: Loader,
        frames: Frames = .first,
        shrink: Int = 1,
        acceptsTruncated: Bool = false,
        deadline: Deadline? = nil
    ) throws(ImagingError) -> Image {
        precondition(shrink == 1 || loader == .jpeg, "only the JPEG decoder shrinks")
        try ImagingRuntime.start()
        try checkShrink(shrink, of: path)
        var origin = ImageOrigin(subject: path, loader: loader, deadline: deadline)
        if loader == .gif, !acceptsTruncated, origin.isCutShort {
            throw .failed(.truncated, path, "the last frame is not whole")
        }
        let failOn = Int32(
            (acceptsTruncated ? VIPS_FAIL_ON_NONE : VIPS_FAIL_ON_TRUNCATED).rawValue
        )
        let opened: UnsafeMutablePointer<VipsImage>?
        switch loader {
        case .svg:
            var bytes: UnsafeMutablePointer<CChar>?
            var length = 0
            guard unsafe g_file_get_contents(path, &bytes, &length, nil) != 0,
                let bytes = unsafe bytes
            else {
                throw .failed(.unreadable, path, "the file cannot be read")
            }
            unsafe opened = unsafe cvips_load_buffer(loader.operation, bytes, length, failOn)
        case .gif, .webp:
            let count: Int32 = frames == .all ? -1 : 1
            if loader == .gif, let file = try? ImageFile.bytes(of: path),
                let mended = GIFScreen.withCorner(file.span)
            {
                origin.hiddenFrames = 1
                unsafe opened = unsafe cvips_load_gif(mended, mended.count, failOn, 1, count)
            } else {
                unsafe opened = unsafe cvips_load(loader.operation, path, failOn, "n", count)
            }
        case .jpeg:
            unsafe opened = unsafe cvips_load(
                loader.operation,
                path,
                failOn,
                "shrink",
                Int32(shrink)
            )
        default:
            unsafe opened = unsafe cvips_load(loader.operation, path, failOn, nil, 0)
        }
        guard let opened = unsafe opened else {
            throw origin.failure(
                .openFailed,
                "it is damaged or of a kind that the \(loader.rawValue) decoder does not know"
            )
        }
        return unsafe Image(adopting: opened, origin: origin)
    }

    /// An image of no pixel would end the process as soon as it is read.
    private static func checkShrink(_ shrink: Int, of path: String) throws(ImagingError) {
        guard shrink > 1 else { return }
        let whole = try open(path, loader: .jpeg, acceptsTruncated: true)
        guard min(whole.width, whole.height) < shrink else { return }
        throw .failed(.openFailed, path, "it is too small to be shrunk")
    }

    package var width: Int { unsafe Int(vips_image_get_width(pointer)) }
    package var height: Int { unsafe Int(vips_image_get_height(pointer)) }
    package var bands: Int { unsafe Int(vips_image_get_bands(pointer)) }

    /// Whether the last band of an image in standard colour is alpha.
    package var hasAlpha: Bool { bands == 2 || bands == 4 }

    /// The image with its pixels computed and kept, so that it can be read often and in any order.
    package func inMemory() throws(ImagingError) -> Image {
        let result = try unsafe derived(
            cvips_like(pointer),
            .operationFailed,
            "there is no memory for the pixels"
        )
        guard RowReader(of: self)?.fill(result) == true else {
            throw origin.failure(.decodeFailed, "the pixels cannot be read")
        }
        return result
    }

    /// Computes every pixel and keeps none: tells whether the file can be decoded whole.
    package func readThrough() throws(ImagingError) {
        let watched = try watched()
        guard unsafe cvips_read_through(watched.pointer) == 0 else {
            throw origin.failure(.decodeFailed, "the pixels cannot be read")
        }
    }

    /// An image made from this one by a call of libvips that has just returned.
    func derived(
        _ result: UnsafeMutablePointer<VipsImage>?,
        _ code: ImagingError.Code,
        _ message: String
    ) throws(ImagingError) -> Image {
        guard let result = unsafe result else { throw origin.failure(code, message) }
        return unsafe Image(adopting: result, origin: origin)
    }

    /// The same image with the deadline in force for what is computed from it now.
    func watched() throws(ImagingError) -> Image {
        let copy = try unsafe derived(
            cvips_copy(pointer),
            .operationFailed,
            "the image cannot be referred to"
        )
        if let deadline = origin.deadline {
            guard !deadline.hasPassed else { throw origin.failure(.timedOut, "") }
            unsafe cvips_set_deadline(copy.pointer, gint64(deadline.microseconds))
        }
        return copy
    }
}
