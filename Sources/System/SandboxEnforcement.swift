extension Sandbox {
    /// What of a sandbox is in force.
    package struct Enforcement: Hashable, Sendable, Codable, CustomStringConvertible {
        /// The version of Landlock that holds files back; `nil` where the kernel has none.
        package var landlock: Int?
        /// Whether system calls are filtered, by seccomp.
        package var filtersCalls = false
        /// How much memory the process may have; `nil` where there is no bound.
        package var dataBytes: Int?
        /// How many files may be open.
        package var openFiles: Int?
        /// How many threads were started earlier and are not held by the rules for files; `nil`
        /// where /proc is not mounted.
        package var otherThreads: Int?

        /// Nothing is.
        package init() {}

        /// `files by Landlock 7, system calls by seccomp, memory to 1200 MB, open files to 64`.
        package var description: String {
            var parts = [
                landlock.map { "files by Landlock \($0)" } ?? "files not (no Landlock here)",
                filtersCalls ? "system calls by seccomp" : "system calls not (no seccomp here)",
            ]
            if let otherThreads, otherThreads > 0, landlock != nil {
                parts[0] += " but for \(otherThreads) threads that were there before"
            }
            parts.append(dataBytes.map { "memory to \($0 / 1_000_000) MB" } ?? "memory not")
            parts.append(openFiles.map { "open files to \($0)" } ?? "open files not")
            return parts.joined(separator: ", ")
        }
    }
}
