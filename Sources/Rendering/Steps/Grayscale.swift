internal import Imaging

extension StepKind {
    /// One band of grey, as bright as the colours are.
    static let grayscale = StepKind(name: "grayscale", parameters: []) {
        image,
        _ throws(ImagingError) in
        try image.grey()
    }
}
