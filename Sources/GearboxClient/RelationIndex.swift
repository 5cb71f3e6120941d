internal import GearboxIndex
internal import GearboxURL
internal import Synchronization

/// A published relation index, as an app opens it to learn which file answers a URL.
///
/// GearboxClient is what an app links. It owns the public surface and nothing else: the rules live in
/// GearboxURL and GearboxIndex. It needs SQLite, and neither libvips nor libcurl.
///
/// ```swift
/// let index = try RelationIndex(path: "cache/index.sqlite")
/// let answer = try index.resolve("https://p1.music.126.net/a.jpg?param=200y200")
/// ```
///
/// All calls may be made from any thread; each waits for the one before it.
public final class RelationIndex: Sendable {
    /// Counts the published indexes of one cache directory, from 1.
    public let generation: Int
    private let reader: Mutex<IndexReader>

    /// Opens an index for reading.
    ///
    /// - Parameter path: the file `index.sqlite`, in a cache directory, an app's bundle or downloaded;
    ///   its folder need not be writable.
    /// - Throws: `unreadable` where the file is missing, damaged or of another format version.
    public init(path: String) throws(RelationIndexError) {
        do {
            let opened = try IndexReader(path: path)
            generation = opened.meta.generation
            reader = Mutex(opened)
        } catch {
            throw RelationIndexError(code: .unreadable, subject: path, message: error.message)
        }
    }

    /// Finds the file that answers a URL.
    ///
    /// - Parameters:
    ///   - url: an absolute URL, in any spelling: it is canonicalised as the index's run did.
    ///   - accept: the formats that can be decoded, of `jpg png webp gif avif heif tiff`; `nil`: all.
    /// - Returns: the file and what is to be done to it; a miss where nothing fits.
    /// - Throws: `badURL` for what has no key, `unreadable` where the file fails.
    public func resolve(
        _ url: String,
        accept: Set<String>? = nil
    ) throws(RelationIndexError) -> Resolution {
        let result: Result<Resolution, RelationIndexError> = reader.withLock { reader in
            do {
                let request = try reader.request(for: url)
                let answer = try reader.answer(to: request, accepted: accept)
                return .success(Resolution(input: url, key: request.key, answer: answer))
            } catch let error as RequestError {
                return .failure(
                    RelationIndexError(code: .badURL, subject: url, message: error.message)
                )
            } catch let error as IndexError {
                return .failure(
                    RelationIndexError(
                        code: .unreadable,
                        subject: error.subject,
                        message: error.message
                    )
                )
            } catch {
                return .failure(
                    RelationIndexError(code: .unreadable, subject: url, message: "\(error)")
                )
            }
        }
        return try result.get()
    }
}
