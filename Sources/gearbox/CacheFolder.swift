internal import System

/// A cache directory that a command reads: said with a remedy where it is none.
enum CacheFolder {
    /// The path of a cache directory's published index, which is there.
    static func index(of cache: String) throws -> String {
        switch (try? FileStatus(of: cache))?.kind {
        case .directory: break
        case nil:
            throw SystemError(
                code: .notFound,
                subject: cache,
                message: "there is no such folder; --cache takes the cache directory of a pipeline"
            )
        case .regular, .other:
            throw SystemError(
                code: .notDirectory,
                subject: cache,
                message: "it is no folder; --cache takes the folder that index.sqlite lies in"
            )
        }
        let index = "\(cache)/index.sqlite"
        switch (try? FileStatus(of: index))?.kind {
        case .regular: return index
        case nil:
            throw SystemError(
                code: .notFound,
                subject: index,
                message: "there is no index yet; gearbox run makes one"
            )
        // A pipe would be waited for, for good.
        case .directory, .other:
            throw SystemError(
                code: .other,
                subject: index,
                message: "it is no file, so no index; remove it and run the pipeline again"
            )
        }
    }
}
