internal import Imaging

/// One change of every raster between its crop and its encoding, never of its size, with all its
/// parameters.
package struct Step: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name of its kind.
    package let name: String
    /// A value for each of the kind's parameters, in their order.
    package let values: [Double]

    package init(_ kind: StepKind, _ values: [Double] = []) {
        precondition(
            values.count == kind.parameters.count
                && zip(kind.parameters, values).allSatisfy { $0.range.contains($1) },
            "a step has a value in its range for each parameter"
        )
        name = kind.name
        self.values = values
    }

    package var kind: StepKind {
        guard let kind = StepKind.named(name) else {
            preconditionFailure("a step is made from its kind")
        }
        return kind
    }

    /// Such as `sharpen(sigma=0.6,amount=1)`, or `grayscale` where there are no parameters: equal
    /// where the pictures are.
    package var description: String {
        let parts = zip(kind.parameters, values).map { "\($0.name)=\(Self.text(of: $1))" }
        return parts.isEmpty ? name : "\(name)(\(parts.joined(separator: ",")))"
    }

    func applied(to image: borrowing Image) throws(ImagingError) -> Image {
        try kind.work(image, values)
    }

    private static func text(of value: Double) -> String {
        Int(exactly: value).map(String.init) ?? String(value)
    }
}

extension [Step] {
    /// All steps in one line; empty where there are none.
    package var text: String { map(\.description).joined(separator: " ") }
}
