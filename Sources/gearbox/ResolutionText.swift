internal import GearboxClient

/// An answer of the index as people and scripts read it.
enum ResolutionText {
    static func line(_ answer: Resolution) -> String {
        guard let file = answer.file else { return "miss   \(answer.key)" }
        var parts = [answer.result.rawValue.padded(to: 6), file]
        if let size = answer.size { parts.append("\(size.width)x\(size.height)") }
        if let scale = answer.transform?.scale {
            parts.append("scale to \(scale.width)x\(scale.height)")
        }
        if let crop = answer.transform?.crop {
            parts.append("crop \(crop.width)x\(crop.height) at \(crop.x),\(crop.y)")
        }
        if answer.flattens { parts.append("flatten") }
        return parts.joined(separator: "  ")
    }

    static func json(_ answer: Resolution) -> [UInt8] {
        var json = JSONLine()
        json.field("input", answer.input)
        json.field("key", answer.key)
        json.field("result", answer.result.rawValue)
        json.field("file", answer.file)
        json.field("mode", answer.mode)
        json.field("width", answer.size?.width)
        json.field("height", answer.size?.height)
        json.field("quality", answer.quality)
        json.field("format", answer.format)
        json.field(
            "transform",
            object: answer.transform.map { transform in
                { line in fill(&line, transform) }
            }
        )
        json.field("flatten", answer.flattens)
        return json.endedLine()
    }

    static func json(_ input: String?, error: String) -> [UInt8] {
        var json = JSONLine()
        json.field("input", input)
        json.field("error", error)
        return json.endedLine()
    }

    private static func fill(_ line: inout JSONLine, _ transform: Resolution.Transform) {
        line.field(
            "scale",
            object: transform.scale.map { scale in
                { line in
                    line.field("width", scale.width)
                    line.field("height", scale.height)
                }
            }
        )
        line.field(
            "crop",
            object: transform.crop.map { crop in
                { line in
                    line.field("x", crop.x)
                    line.field("y", crop.y)
                    line.field("width", crop.width)
                    line.field("height", crop.height)
                }
            }
        )
    }
}
