package import GearboxURL
internal import Rendering
internal import Store
internal import System

/// A file outside of the cache directory, or standard output, that shows what a client makes of an answer.
package struct PictureOutput: Sendable, Hashable {
    package let path: String
    package let format: OutputFormat

    /// A file to write.
    ///
    /// `nil` where its extension is none of `extensions`; without one, and on standard output (`-`),
    /// it is a PNG.
    package init?(path: String) {
        self.path = path
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let ending = parts.last, !ending.isEmpty else {
            format = .png
            return
        }
        let word = ending.lowercased()
        guard let format = OutputFormat(rawValue: word == "jpeg" ? "jpg" : word) else { return nil }
        self.format = format
    }

    /// What a path may end in, for messages.
    package static let extensions =
        (OutputFormat.allCases.map(\.rawValue) + ["jpeg"]).sorted().joined(separator: ", ")

    /// Writes the picture, whole or not at all.
    ///
    /// Where nothing is to be done to it and the format is the same, the very bytes.
    ///
    /// - Parameters:
    ///   - file: the stored file, relative to the cache directory.
    ///   - cache: the cache directory.
    ///   - scale: what it is scaled to; `nil`: not at all.
    ///   - crop: what is cut from that; `nil`: nothing.
    ///   - flattens: whether a transparent picture is drawn on white.
    /// - Throws: a `StoreError` where the stored file is missing or damaged, a `RenderError` where
    ///   it cannot be shown so, a `SystemError` where the output cannot be written.
    package func write(
        file: String,
        in cache: String,
        scale: Size?,
        crop: Rectangle?,
        flattens: Bool
    ) throws {
        try OutputFile.check(path)
        let store = Store(lookingAt: cache)
        var bytes = try store.bytes(of: file)
        let stored = FileFormat.sniff(bytes.span.extracting(first: FileFormat.headLength))
        let isShownAsStored =
            scale == nil && crop == nil && !flattens && stored.fileExtension == format.rawValue
        if !isShownAsStored {
            let picture = try ShownPicture(
                of: store.path(of: file),
                format: stored,
                scale: scale,
                crop: crop,
                flattens: flattens
            )
            bytes = try picture.bytes(as: format, named: path == "-" ? "standard output" : path)
        }
        var output = try OutputFile(path)
        try output.write(bytes)
        try output.finish()
    }
}
