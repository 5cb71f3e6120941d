internal import Prewarm

/// Values as a pipeline file has them, too.
extension Arguments {
    func byteCount(_ name: String) throws -> Int? {
        guard let text = value(name) else { return nil }
        if let bytes = Quantity.bytes(.string(text)) { return bytes }
        throw UsageError(message: "\(name) takes a size such as 500000 or 20GiB, not \"\(text)\"")
    }

    func seconds(_ name: String) throws -> Int? {
        guard let text = value(name) else { return nil }
        if let seconds = Quantity.seconds(.string(text)) { return seconds }
        throw UsageError(message: "\(name) takes a time such as 36h or 30d, not \"\(text)\"")
    }
}
