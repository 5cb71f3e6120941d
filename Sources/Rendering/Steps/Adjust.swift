internal import Imaging

extension StepKind {
    /// Brightness, contrast and saturation, in the meaning that the CSS filters of these names have.
    static let adjust = StepKind(
        name: "adjust",
        parameters: [
            StepParameter("brightness", in: 0...10, standard: 1),
            StepParameter("contrast", in: 0...10, standard: 1),
            StepParameter("saturation", in: 0...10, standard: 1),
        ]
    ) { image, values throws(ImagingError) in
        try image.adjusted(brightness: values[0], contrast: values[1], saturation: values[2])
    }
}
