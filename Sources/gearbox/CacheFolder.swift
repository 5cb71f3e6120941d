internal import System

/// A cache directory that a command works on: said with a remedy where it is none.
enum CacheFolder {
    /// The path of a cache directory's published index, which is there.
    static func index(of cache: String) throws(SystemError) -> String {
        try file(
            "index.sqlite",
            of: cache,
            otherwise: "there is no index yet; gearbox run makes one"
        )
    }

    /// Throws where no run has used the directory.
    static func checkState(of cache: String) throws(SystemError) {
        _ = try file(
            "state.sqlite",
            of: cache,
            otherwise: "no run has used this directory: it has no state.sqlite;"
                + " gearbox run makes one"
        )
    }

    private static func file(
        _ name: String,
        of cache: String,
        otherwise message: String
    ) throws(SystemError) -> String {
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
        let path = "\(cache)/\(name)"
        switch (try? FileStatus(of: path))?.kind {
        case .regular: return path
        case nil: throw SystemError(code: .notFound, subject: path, message: message)
        // A pipe would be waited for, for good.
        case .directory, .other:
            throw SystemError(
                code: .other,
                subject: path,
                message: "it is no file; remove it and run the pipeline again"
            )
        }
    }
}
