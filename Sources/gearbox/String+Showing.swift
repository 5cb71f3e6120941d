extension String {
    /// With blanks behind, for a column.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// With control characters written out: what comes from outside must not steer a terminal.
    var withoutControls: String {
        unicodeScalars.reduce(into: "") { shown, scalar in
            if scalar.properties.generalCategory == .control {
                shown += "\\u{\(Swift.String(scalar.value, radix: 16))}"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
    }
}
