import CSystem
import Foundation
import System
import TestSupport
import Testing

@Suite("The sandbox")
struct SandboxTests {
    static let landlock = Int(csystem_landlock_version())

    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// What the child has reported: what is in force, and the errno of each attempt.
    private func attempts() throws -> (enforcement: String, errnos: [String: Int32]) {
        for folder in ["read", "write", "outside"] { try scratch.write("bytes", to: "\(folder)/a") }
        let child = try startProbe(
            "attempts",
            scratch.file("read"),
            scratch.file("write"),
            scratch.file("outside")
        )
        let enforcement = try child.text()
        var errnos: [String: Int32] = [:]
        for line in try child.text().split(separator: "\n") {
            let words = line.split(separator: " ")
            errnos[String(words[0])] = Int32(words[1])
        }
        #expect(child.wait().cause == .status(0))
        return (enforcement, errnos)
    }

    @Test("Files are read and written in their folders only", .enabled(if: landlock > 0))
    func files() throws {
        let errnos = try attempts().errnos
        for name in ["read", "list", "make", "rename", "reopen", "remove"] {
            #expect(errnos[name] == 0, "\(name)")
        }
        let refused = [
            "write-readable", "make-readable", "remove-readable", "read-outside", "list-outside",
            "write-outside", "make-outside", "folder",
            "parents-environment", "parents-memory",
        ]
        for name in refused { #expect(errnos[name] == EACCES, "\(name)") }
        // The folders differ, which some versions of Landlock say first.
        #expect([EACCES, EXDEV].contains(errnos["rename-out"]))
        for folder in ["read", "outside"] { #expect(try scratch.read("\(folder)/a") == "bytes") }
        #expect(scratch.files() == ["outside/a", "read/a", "write/a"])
    }

    @Test("What Landlock leaves open is closed by the filter")
    func fileCalls() throws {
        let errnos = try attempts().errnos
        for name in ["empty-readable", "chmod", "truncate", "symlink"] {
            #expect(errnos[name] == EPERM, "\(name)")
        }
        #expect(try scratch.read("read/a") == "bytes")
    }

    @Test("No sockets, programs, signals to others, or ways into the kernel")
    func calls() throws {
        let errnos = try attempts().errnos
        let refused = [
            "socket", "socket-unix", "socketpair", "connect", "bind", "listen", "accept4",
            "execve", "clone", "ptrace", "process_vm_readv", "pidfd_open", "kill-parent",
            "kill-group", "tgkill-parent", "mount", "chroot", "unshare", "setns", "bpf",
            "io_uring_setup", "keyctl", "userfaultfd", "perf_event_open", "open_by_handle_at",
            "finit_module", "personality", "setxattr", "shmget", "splice", "terminal",
            "set-limit", "outlive-parent",
        ]
        for name in refused { #expect(errnos[name] == EPERM, "\(name)") }
        for name in ["clone3", "newest"] { #expect(errnos[name] == ENOSYS, "\(name)") }
    }

    @Test("Threads, tasks and giving memory back go on; more open files than allowed do not")
    func goesOn() throws {
        let errnos = try attempts().errnos
        for name in ["kill-self", "get-limit", "thread", "task", "trim"] {
            #expect(errnos[name] == 0, "\(name)")
        }
        #expect(errnos["too-many-files"] == EMFILE)
    }

    @Test("What is in force is said in a line")
    func enforcement() throws {
        let said = try attempts().enforcement
        let files =
            Self.landlock > 0
            ? "files by Landlock \(min(Self.landlock, 7)), " : "files not (no Landlock here), "
        #expect(said.hasPrefix(files + "system calls by seccomp, memory to "))
        #expect(said.hasSuffix(" MB, open files to 32"))
        let nothing = Sandbox.Enforcement()
        #expect(nothing.description.contains("system calls not (no seccomp here), memory not"))
        var late = Sandbox.Enforcement()
        late.landlock = 7
        late.otherThreads = 2
        #expect(late.description.hasPrefix("files by Landlock 7 but for 2 threads that were there"))
    }

    @Test("Memory beyond the bound is not given, and asking for it is no crash")
    func memory() throws {
        let child = try startProbe("outgrow")
        #expect(try child.text() == "within some, beyond none")
        #expect(child.wait().cause == .status(0))
    }

    @Test("A crash in the sandbox still ends with its own signal", arguments: ["abort", "crash"])
    func crash(words: String) throws {
        let end = try startProbe(words).wait()
        #expect(end.cause == .signal(words == "abort" ? SIGABRT : SIGSEGV))
        #expect(end.isCrash)
    }

    @Test("A writable folder that is not there is an error", .enabled(if: landlock > 0))
    func missingFolder() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let sandbox = Sandbox(
                readable: ["/nowhere"],
                writable: ["/nowhere/at/all"],
                dataBytes: nil,
                openFiles: 1024
            )
            do throws(SystemError) {
                _ = try sandbox.enter()
                exit(1)
            } catch {
                exit(error.code == .notFound && error.subject == "/nowhere/at/all" ? 0 : 2)
            }
        }
    }
}
