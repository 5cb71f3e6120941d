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

    /// Computes all rows into an image in memory of the same size; `false` where they cannot be
    /// computed or time is up.
    func fill(_ image: borrowing Image) -> Bool {
        guard let target = unsafe vips_region_new(image.pointer) else { return false }
        defer { unsafe g_object_unref(target) }
        var next: Int32 = 0
        while Int(next) < image.height {
            if let deadline, deadline.hasPassed { return false }
            next = unsafe cvips_fill(region, target, next)
            guard next > 0 else { return false }
        }
        return true
    }
}
