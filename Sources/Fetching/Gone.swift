/// That an original is not there any more, or never was.
package struct Gone: Sendable, Hashable {
    /// In one line.
    package var reason: String
    /// 404 or 410; `nil` where no host was asked.
    package var httpStatus: Int?
    package var attempts: Int
}
