internal import Digest
internal import System

extension Store {
    /// A file's bytes, held against the digest that is its name.
    ///
    /// - Throws: `notFound` where it is not there, `digestMismatch` where it is damaged.
    package func bytes(of file: String) throws(StoreError) -> [UInt8] {
        let path = path(of: file)
        guard let size = Files.size(of: path) else {
            throw StoreError(
                code: .notFound,
                subject: path,
                message: Files.exists(path)
                    ? "it is no file; remove it and run the pipeline again"
                    : "the file is not there; run the pipeline again to make it"
            )
        }
        let reader = try Self.reader(path)
        var bytes = [UInt8](repeating: 0, count: size + 1)
        var count = 0
        do {
            while count < bytes.count {
                let read = try reader.read(into: &bytes, from: count)
                if read == 0 { break }
                count += read
            }
        } catch {
            throw StoreError(reading: error)
        }
        bytes.removeSubrange(count...)
        let digest: ContentDigest
        do { digest = try ContentDigest(of: bytes.span, .sha256) } catch {
            throw StoreError(error)
        }
        guard name(digest: digest.hex, fileExtension: Self.fileExtension(of: file)) == file else {
            throw StoreError(
                code: .digestMismatch,
                subject: path,
                message:
                    "the file is damaged: its bytes have \(digest), not the digest of its name;"
                    + " remove it and run the pipeline again"
            )
        }
        return bytes
    }
}
