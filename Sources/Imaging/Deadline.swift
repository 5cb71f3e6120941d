internal import CVips

/// The moment after which work on an image stops.
///
/// Checked between strips of pixels: a decoder that works through a whole file in one call is not
/// interrupted inside it.
package struct Deadline: Hashable, Sendable {
    /// Microseconds of GLib's monotonic clock.
    let microseconds: Int64

    package init(seconds: Double) {
        microseconds = Int64(g_get_monotonic_time()) + Int64(min(max(seconds, 0), 1e9) * 1_000_000)
    }

    package var hasPassed: Bool { Int64(g_get_monotonic_time()) > microseconds }
}
