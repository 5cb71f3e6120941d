internal import Imaging

/// A kind of step: what it is called, its parameters, and what it does to a raster.
///
/// A new one is a file of its own beside this one and a place in `all`. The work takes a raster in
/// standard colour and gives one of the same size in standard colour; that it is a single frame,
/// and that nothing else is made of it, is the caller's care.
package struct StepKind: Sendable {
    package let name: String
    package let parameters: [StepParameter]
    /// Given a value for each parameter, in their order.
    let work: @Sendable (_ image: borrowing Image, _ values: [Double]) throws(ImagingError) -> Image

    package static let all = [sharpen, blur, grayscale, adjust]

    /// The kind of a name; `nil` where there is none.
    package static func named(_ name: String) -> StepKind? { all.first { $0.name == name } }
}
