/// What happens to a size above the top gear.
package enum Overflow: String, Sendable, CaseIterable, Hashable {
    /// The next multiple of 256, at most 4096.
    case step
    /// The size stays as requested.
    case passthrough
    /// The top gear: the one case that rounds down.
    case clamp
}
