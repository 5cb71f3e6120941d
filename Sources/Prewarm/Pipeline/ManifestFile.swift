package import Manifests
internal import System

/// A manifest that is open to be read, piece by piece, from a file or from standard input.
package struct ManifestFile: ~Copyable {
    private static let chunk = 256 * 1_024

    private let path: String
    private let file: FileReader
    private var reader: ManifestReader
    private var buffer = [UInt8](repeating: 0, count: Self.chunk)
    /// The part of the buffer that the reader has not taken yet.
    private var unread = 0..<0

    package init(_ manifest: Pipeline.Manifest) throws(ManifestError) {
        path = manifest.path
        reader = ManifestReader(manifest.shape, name: manifest.path)
        do throws(SystemError) {
            file = try FileReader(manifest.path)
        } catch {
            throw Self.unreadable(manifest.path, error)
        }
    }

    /// Reads a piece, which a small file can be a great deal of text of.
    ///
    /// - Returns: false at the end of the manifest.
    package mutating func read(_ item: (ManifestItem) throws -> Void) throws -> Bool {
        if unread.isEmpty && !reader.hasMore {
            unread = 0..<(try fill())
            if unread.isEmpty {
                try reader.finish(item: item)
                return false
            }
        }
        let bytes = buffer
        let taken = try reader.read(bytes.span.extracting(unread), item: item)
        unread = unread.lowerBound + taken..<unread.upperBound
        return true
    }

    private mutating func fill() throws -> Int {
        do throws(SystemError) {
            return try file.read(into: &buffer)
        } catch {
            if error.code == .interrupted { throw Interrupted() }
            throw Self.unreadable(path, error)
        }
    }

    private static func unreadable(_ path: String, _ error: SystemError) -> ManifestError {
        ManifestError(code: .unreadable, subject: path, message: error.message)
    }
}
