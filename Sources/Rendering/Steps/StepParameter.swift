/// A parameter of a step, as a pipeline says it.
package struct StepParameter: Sendable, Hashable {
    package let name: String
    package let range: ClosedRange<Double>
    /// Its value where the pipeline gives none; `nil`: it must be given.
    package let standard: Double?

    init(_ name: String, in range: ClosedRange<Double>, standard: Double? = nil) {
        self.name = name
        self.range = range
        self.standard = standard
    }
}
