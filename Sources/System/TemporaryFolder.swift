import Glibc

/// A folder of its own for files that nobody else shall see, gone with the value.
@safe package struct TemporaryFolder: ~Copyable {
    package let path: String

    /// Makes it where the environment's `TMPDIR` says, else in `/tmp`.
    package init() throws(SystemError) {
        let parent = ProcessFacts.environment("TMPDIR") ?? "/tmp"
        path = "\(parent)/gearbox-\(TemporaryFile.uniqueName())"
        guard unsafe mkdir(path, 0o700) == 0 else {
            throw SystemError(errno: errno, cannot: "make a temporary folder", path)
        }
    }

    deinit { try? Files.removeTree(path) }
}
