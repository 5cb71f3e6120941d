/// What a file is, told by its first bytes and by nothing else: a URL or a Content-Type may lie.
package enum FileFormat: String, Sendable, CaseIterable, Hashable, Codable {
    case jpeg, png, webp, gif, tiff, heif, avif
    case bmp, svg, pdf, psd, jxl, jp2k, ico
    case html, xml, mp4, zip, gzip, json
    case empty, unknown

    /// The bytes that `sniff` wants to see, where the file has as many.
    package static let headLength = 256

    /// Tells the format of a file.
    ///
    /// - Parameter head: the file's first bytes; `headLength` of them are enough.
    /// - Returns: the format; `unknown` where no signature fits, `empty` where there is no byte.
    package static func sniff(_ head: Span<UInt8>) -> FileFormat {
        guard head.count > 0 else { return .empty }
        if head.begins([0xFF, 0xD8, 0xFF]) { return .jpeg }
        if head.begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if head.begins("RIFF") { return head.has("WEBP", at: 8) ? .webp : .unknown }
        if head.begins("GIF8") { return .gif }
        for tiff: [UInt8] in [[0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A]] where head.begins(tiff)
        {
            return .tiff
        }
        for big: [UInt8] in [[0x49, 0x49, 0x2B, 0], [0x4D, 0x4D, 0, 0x2B]] where head.begins(big) {
            return .tiff
        }
        if head.has("ftyp", at: 4) { return baseMedia(head) }
        if head.begins([0xFF, 0x0A]) || head.has("JXL ", at: 4) { return .jxl }
        if head.has("jP  ", at: 4) || head.begins([0xFF, 0x4F, 0xFF, 0x51]) { return .jp2k }
        if head.begins("BM") { return .bmp }
        if head.begins("8BPS") { return .psd }
        if head.begins("%PDF") { return .pdf }
        if head.begins([0, 0, 1, 0]) { return .ico }
        if head.begins([0x50, 0x4B, 0x03, 0x04]) { return .zip }
        if head.begins([0x1F, 0x8B]) { return .gzip }
        return text(head)
    }

    /// The extension of a stored file; the word for the format in the index.
    package var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .unknown, .empty: "bin"
        case .jp2k: "jp2"
        case .gzip: "gz"
        default: rawValue
        }
    }

    /// ISO base media: the brands say whether it is a picture or a film.
    private static func baseMedia(_ head: Span<UInt8>) -> FileFormat {
        var brands: [Int] = [8]
        var offset = 16
        while offset + 4 <= head.count && offset < 64 {
            brands.append(offset)
            offset += 4
        }
        for brand in brands where head.has("avif", at: brand) || head.has("avis", at: brand) {
            return .avif
        }
        let stills = ["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1"]
        for still in stills where head.has(still, at: 8) { return .heif }
        return .mp4
    }

    private static func text(_ head: Span<UInt8>) -> FileFormat {
        var start = 0
        if head.begins([0xEF, 0xBB, 0xBF]) { start = 3 }
        while start < head.count, [0x20, 0x09, 0x0A, 0x0D].contains(head[start]) { start += 1 }
        guard start < head.count else { return .unknown }
        if head.hasFolded("<svg", at: start) { return .svg }
        if head.hasFolded("<!doctype html", at: start) || head.hasFolded("<html", at: start) {
            return .html
        }
        if head.hasFolded("<?xml", at: start) || head.hasFolded("<!doctype", at: start) {
            for offset in start..<head.count where head.hasFolded("<svg", at: offset) {
                return .svg
            }
            return .xml
        }
        if head.hasFolded("<head", at: start) || head.hasFolded("<body", at: start) { return .html }
        if head[start] == UInt8(ascii: "{") { return .json }
        return .unknown
    }
}

extension Span<UInt8> {
    fileprivate func begins(_ bytes: [UInt8]) -> Bool {
        guard count >= bytes.count else { return false }
        for index in bytes.indices where self[index] != bytes[index] { return false }
        return true
    }

    fileprivate func begins(_ text: StaticString) -> Bool { has(text.description, at: 0) }

    fileprivate func has(_ text: String, at offset: Int) -> Bool {
        guard count >= offset + text.utf8.count else { return false }
        return zip(offset..., text.utf8).allSatisfy { self[$0] == $1 }
    }

    /// The same with ASCII capitals folded; `text` is lower-case.
    fileprivate func hasFolded(_ text: String, at offset: Int) -> Bool {
        let bytes = Array(text.utf8)
        guard count >= offset + bytes.count else { return false }
        for index in bytes.indices {
            let byte = self[offset + index]
            let folded = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            if folded != bytes[index] { return false }
        }
        return true
    }
}
