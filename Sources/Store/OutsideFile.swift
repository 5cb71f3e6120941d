internal import System

/// A file that is not the store's own, open to be copied into it: found inside one folder, and
/// never outside of it.
package struct OutsideFile: ~Copyable {
    package let bytes: Int
    /// The size, time and inode in one text: while it is the same, the bytes are.
    package let stamp: String

    /// Where it is, without symbolic links.
    package var path: String { reader.path }

    private let reader: FileReader

    /// Opens a regular file.
    ///
    /// Fails with `notFound` where there is none, also where the path is a folder or no name that
    /// the file system could have; with `outside` where dots or a symbolic link lead out.
    package init(_ relativePath: String, in directory: String) throws(StoreError) {
        let parts = relativePath.utf8.split(separator: UInt8(ascii: "/"))
        guard !parts.contains(where: { $0.elementsEqual("..".utf8) }) else {
            throw Self.outside(relativePath, of: directory)
        }
        guard !parts.isEmpty, !relativePath.utf8.contains(0),
            relativePath.utf8.last != UInt8(ascii: "/")
        else {
            throw Self.noFile(relativePath, in: directory)
        }
        let root: String
        do { root = try Files.resolved(directory) } catch {
            throw StoreError(code: .noFolder, cause: error)
        }
        let path: String
        let isFile: Bool
        do {
            path = try Files.resolved("\(root)/\(relativePath)")
            // Looked at before it is opened: opening a pipe would wait for its writer.
            isFile = try FileStatus(of: path).kind == .regular
        } catch {
            throw StoreError(reading: error)
        }
        guard path.hasPrefix(root == "/" ? root : root + "/") else {
            throw Self.outside(relativePath, of: directory)
        }
        guard isFile else { throw Self.noFile(relativePath, in: directory) }
        let reader = try Store.reader(path)
        let status: FileStatus
        do { status = try reader.status() } catch { throw StoreError(reading: error) }
        bytes = status.bytes
        stamp = Self.stamp(status)
        self.reader = reader
    }

    /// The stamp of a regular file that is only looked at; `nil` where there is none.
    ///
    /// Wherever its path leads: what has the stamp of a file that was taken in once is that file.
    package static func stamp(ofFile relativePath: String, in directory: String) -> String? {
        guard let status = try? FileStatus(of: "\(directory)/\(relativePath)"),
            status.kind == .regular
        else { return nil }
        return stamp(status)
    }

    /// Copies every byte.
    ///
    /// Fails with `changing` where somebody writes to the file meanwhile.
    package func copy(into writer: inout StoreWriter) throws(StoreError) {
        let before = writer.bytes
        try writer.copy(reader)
        let now: String
        do { now = try Self.stamp(reader.status()) } catch { throw StoreError(reading: error) }
        guard now == stamp, writer.bytes - before == bytes else {
            throw StoreError(
                code: .changing,
                subject: reader.path,
                message: "it was written to while it was being read; it will be tried again"
            )
        }
    }

    private static func stamp(_ status: FileStatus) -> String {
        "\(status.bytes)-\(status.modifiedNanoseconds)-\(status.inode)"
    }

    private static func outside(_ path: String, of directory: String) -> StoreError {
        StoreError(
            code: .outside,
            subject: directory,
            message: "the path \(path) leads out of this folder; refused"
        )
    }

    private static func noFile(_ path: String, in directory: String) -> StoreError {
        StoreError(code: .notFound, subject: "\(directory)/\(path)", message: "no such file")
    }
}
