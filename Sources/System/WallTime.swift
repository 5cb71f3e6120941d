import CSystem
import Glibc

/// A moment of the calendar, UTC.
///
/// For durations use `ContinuousClock`, which nobody sets back.
package struct WallTime: Hashable, Sendable, Comparable, CustomStringConvertible {
    package var nanosecondsSince1970: Int64

    package init(nanosecondsSince1970: Int64) {
        self.nanosecondsSince1970 = nanosecondsSince1970
    }

    package init(secondsSince1970: Int64) {
        nanosecondsSince1970 = secondsSince1970 * 1_000_000_000
    }

    package static func now() -> WallTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(
            nanosecondsSince1970: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        )
    }

    package var secondsSince1970: Int64 {
        let (quotient, rest) = nanosecondsSince1970.quotientAndRemainder(dividingBy: 1_000_000_000)
        return rest < 0 ? quotient - 1 : quotient
    }

    package static func < (left: WallTime, right: WallTime) -> Bool {
        left.nanosecondsSince1970 < right.nanosecondsSince1970
    }

    /// ISO 8601 to the second: `2025-01-31T02:00:00Z`.
    package var description: String {
        var seconds = time_t(secondsSince1970)
        var parts = unsafe tm()
        _ = unsafe gmtime_r(&seconds, &parts)
        let date = unsafe [
            padded(parts.tm_year + 1900, 4),
            padded(parts.tm_mon + 1, 2),
            padded(parts.tm_mday, 2),
        ]
        let time = unsafe [
            padded(parts.tm_hour, 2),
            padded(parts.tm_min, 2),
            padded(parts.tm_sec, 2),
        ]
        return date.joined(separator: "-") + "T" + time.joined(separator: ":") + "Z"
    }

    private func padded(_ value: Int32, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
