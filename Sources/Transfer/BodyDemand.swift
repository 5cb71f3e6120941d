/// Whether a receiver wants the rest of a body.
package enum BodyDemand: Sendable {
    case more
    /// The transfer ends here, as a success.
    case enough
}
