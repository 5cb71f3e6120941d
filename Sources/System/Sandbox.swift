import CSystem
import Glibc

/// What a process that reads bytes of strangers may still do.
///
/// Each layer that the kernel does not have is left out; `Enforcement` says which are there.
package struct Sandbox: Hashable, Sendable {
    /// The folders and files that may be read, with all that is beneath them; those that do not
    /// exist are left out.
    package var readable: [String]
    /// The folders in which files may also be made, written, renamed and removed; they exist.
    package var writable: [String]
    /// How much memory may be taken on top of what is taken already; as much as there is where it
    /// is `nil`.
    ///
    /// The stack of a thread counts in full, 8 MiB each.
    package var dataBytes: Int?
    /// How many files may be open.
    package var openFiles: Int

    package init(readable: [String], writable: [String], dataBytes: Int?, openFiles: Int) {
        self.readable = readable
        self.writable = writable
        self.dataBytes = dataBytes
        self.openFiles = openFiles
    }

    /// What the libraries of a program read while it runs: more libraries, tables of characters,
    /// fonts, facts about the machine.
    ///
    /// All of /proc, because Swift's scheduler ends the process where it cannot read
    /// /proc/THREAD/stat. Landlock itself keeps the memory, files and environment of other processes
    /// from being read there.
    package static let systemFiles = [
        "/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/fonts", "/etc/localtime",
        "/dev/null", "/dev/zero", "/dev/urandom", "/proc", "/sys/devices/system/cpu",
    ]

    /// Gives the rest up, for good.
    ///
    /// Called before any thread is started: the rules for files hold for this thread and those that
    /// it starts. Afterwards there are no new sockets and programs, no signals to other processes, no
    /// memory beyond the bound; what is open stays so. A call that is refused fails with EPERM, or
    /// EACCES where it is about a file.
    ///
    /// - Returns: what is in force.
    /// - Throws: where a writable folder cannot be opened; then less may be in force.
    package func enter() throws(SystemError) -> Enforcement {
        #if SANITIZED
            // `make sanitize`: the sanitizer's own memory is beyond every bound, and what it finds it
            // writes to a file and has another program explain.
            return Enforcement()
        #else
            return try restrict()
        #endif
    }

    private func restrict() throws(SystemError) -> Enforcement {
        let taken = ProcessMemory.dataBytes()
        let threads = (try? Files.entries(of: "/proc/self/task"))?.count
        var enforcement = Enforcement()
        enforcement.otherThreads = threads.map { $0 - 1 }
        guard csystem_give_up_privileges() == 0 else { return enforcement }
        _ = csystem_lower_limit(0, 0)
        enforcement.openFiles = Int(clamping: csystem_lower_limit(1, UInt64(max(0, openFiles))))
        if let dataBytes, let taken {
            enforcement.dataBytes = Int(
                clamping: csystem_lower_limit(2, UInt64(taken + max(0, dataBytes)))
            )
        }
        enforcement.landlock = try restrictFiles()
        enforcement.filtersCalls = csystem_filter_calls() == 0
        return enforcement
    }

    /// The version of Landlock that is in force; `nil` for none.
    private func restrictFiles() throws(SystemError) -> Int? {
        let version = min(csystem_landlock_version(), 7)
        guard version > 0 else { return nil }
        let rules = csystem_landlock_begin(version)
        guard rules >= 0 else { return nil }
        defer { close(rules) }
        let reading = csystem_landlock_read_file | csystem_landlock_read_folder
        let writing =
            csystem_landlock_write_file | csystem_landlock_remove_file
            | csystem_landlock_make_file | csystem_landlock_truncate
        for path in readable {
            // What is not there or not to be opened cannot be read anyway.
            _ = unsafe csystem_landlock_allow(rules, Int32(version), path, UInt64(reading))
        }
        for path in writable {
            let failed = unsafe csystem_landlock_allow(
                rules,
                Int32(version),
                path,
                UInt64(reading | writing)
            )
            guard failed == 0 else {
                throw SystemError(errno: failed, cannot: "keep the right to write in it", path)
            }
        }
        return csystem_landlock_enter(rules) == 0 ? Int(version) : nil
    }
}
