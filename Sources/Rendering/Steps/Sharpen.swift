internal import Imaging

extension StepKind {
    /// An unsharp mask on the lightness: what a smaller picture lost in contrast at its edges.
    static let sharpen = StepKind(
        name: "sharpen",
        parameters: [
            StepParameter("sigma", in: 0.3...10, standard: 0.6),
            StepParameter("amount", in: 0...10, standard: 1),
        ]
    ) { image, values throws(ImagingError) in
        try image.sharpened(sigma: values[0], amount: values[1])
    }
}
