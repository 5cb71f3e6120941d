internal import Imaging

extension StepKind {
    /// A Gaussian blur.
    static let blur = StepKind(
        name: "blur",
        parameters: [StepParameter("sigma", in: 0.3...50)]
    ) { image, values throws(ImagingError) in
        try image.blurred(sigma: values[0])
    }
}
