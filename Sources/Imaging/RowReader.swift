internal import CVips

/// Reads the rows of an image, from top to bottom, on the calling thread: no strip of pixels is handed
/// to a thread of libvips and back.
@safe final class RowReader {
    private let region: UnsafeMutablePointer<VipsRegion>
    private let deadline: Deadline?

    /// `nil` where libvips has no memory for it.
    init?(of image: borrowing Image) {
        guard let region = unsafe vips_region_new(image.pointer) else { return nil }
        unsafe self.region = unsafe region
        deadline = image.origin.deadline
    }

    deinit { unsafe g_object_unref(region) }

    /// The samples of a row, until the next is asked for; `nil` where they cannot be computed or time
    /// is up.
    func row(_ y: Int32) -> UnsafePointer<UInt8>? {
        if let deadline, deadline.hasPassed { return nil }
        return unsafe cvips_row(region, y)
    }
}
