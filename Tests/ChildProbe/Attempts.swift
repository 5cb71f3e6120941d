import CSystem
import Glibc
import System

/// What a process tries from within the sandbox, and with which errno it fails.
struct Attempts {
    private let readable: String
    private let writable: String
    private let outside: String

    /// Three folders: the first and the last have a file `a`.
    init(_ folders: [String]) {
        readable = folders[0]
        writable = folders[1]
        outside = folders[2]
    }

    /// Enters the sandbox, tries everything, and sends a line for each attempt: name and errno.
    func make(telling parent: MessageSocket) async throws {
        var sandbox = Sandbox.ofProbe
        sandbox.readable.append(readable)
        sandbox.writable.append(writable)
        let enforcement = try sandbox.enter()
        try parent.send(text: enforcement.description)
        var lines = files() + calls() + allowed()
        lines.append(("thread", try await Self.answerOfThread()))
        lines.append(("task", await Self.answerOfTask()))
        try parent.send(text: lines.map { "\($0.0) \($0.1)" }.joined(separator: "\n"))
    }

    private typealias Line = (String, Int32)

    private func attempt(_ name: String, _ call: () -> Int) -> Line {
        errno = 0
        return (name, call() == -1 ? errno : 0)
    }

    private func open(_ path: String, _ flags: Int32) -> Int {
        let descriptor = unsafe csystem_open(path, flags, 0o666)
        if descriptor >= 0 { close(descriptor) }
        return descriptor < 0 ? -1 : 0
    }

    private func files() -> [Line] {
        let made = writable + "/made"
        return [
            attempt("read", { open(readable + "/a", O_RDONLY) }),
            attempt("list", { open(readable, O_RDONLY) }),
            attempt("write-readable", { open(readable + "/a", O_WRONLY) }),
            attempt("empty-readable", { open(readable + "/a", O_RDONLY | O_TRUNC) }),
            attempt("make-readable", { open(readable + "/b", O_WRONLY | O_CREAT) }),
            attempt("remove-readable", { unsafe Int(unlink(readable + "/a")) }),
            attempt("read-outside", { open(outside + "/a", O_RDONLY) }),
            attempt("list-outside", { open(outside, O_RDONLY) }),
            attempt("parents-environment", { open("/proc/\(getppid())/environ", O_RDONLY) }),
            attempt("parents-memory", { open("/proc/\(getppid())/mem", O_RDONLY) }),
            attempt("write-outside", { open(outside + "/a", O_WRONLY) }),
            attempt("make-outside", { open(outside + "/b", O_WRONLY | O_CREAT) }),
            attempt("make", { open(made, O_WRONLY | O_CREAT | O_EXCL) }),
            attempt("rename-out", { unsafe Int(rename(made, outside + "/c")) }),
            attempt("rename", { unsafe Int(rename(made, made + "2")) }),
            attempt("reopen", { open(made + "2", O_RDWR | O_TRUNC) }),
            attempt("remove", { unsafe Int(unlink(made + "2")) }),
            attempt("folder", { unsafe Int(mkdir(writable + "/folder", 0o777)) }),
            attempt("chmod", { unsafe Int(chmod(readable + "/a", 0)) }),
            attempt("truncate", { unsafe Int(truncate(readable + "/a", 0)) }),
            attempt("symlink", { unsafe Int(symlink("a", writable + "/link")) }),
        ]
    }

    /// Refused whatever the arguments: those here would do no harm if they were not.
    private func calls() -> [Line] {
        let numbers: [(String, Int32)] = [
            ("connect", __NR_connect), ("bind", __NR_bind), ("listen", __NR_listen),
            ("accept4", __NR_accept4), ("ptrace", __NR_ptrace),
            ("process_vm_readv", __NR_process_vm_readv), ("pidfd_open", __NR_pidfd_open),
            ("mount", __NR_mount), ("chroot", __NR_chroot), ("bpf", __NR_bpf),
            ("io_uring_setup", __NR_io_uring_setup), ("keyctl", __NR_keyctl),
            ("userfaultfd", __NR_userfaultfd), ("perf_event_open", __NR_perf_event_open),
            ("setns", __NR_setns), ("open_by_handle_at", __NR_open_by_handle_at),
            ("finit_module", __NR_finit_module), ("personality", __NR_personality),
            ("setxattr", __NR_setxattr), ("shmget", __NR_shmget), ("splice", __NR_splice),
        ]
        return numbers.map { name, number in attempt(name) { systemCall(number, -1) } } + [
            attempt("socket", { Int(socket(AF_INET, 1, 0)) }),
            attempt("socket-unix", { Int(socket(AF_UNIX, 1, 0)) }),
            attempt("socketpair", { systemCall(__NR_socketpair, 1, 1, 0) }),
            attempt("execve", { unsafe Int(execv("/bin/true", [nil])) }),
            attempt("unshare", { systemCall(__NR_unshare, 0) }),
            attempt("clone", { systemCall(__NR_clone, Int(SIGCHLD)) }),
            attempt("clone3", { systemCall(__NR_clone3, 0) }),
            attempt("newest", { systemCall(461, 0) }),
            attempt("kill-parent", { Int(kill(getppid(), 0)) }),
            attempt("kill-group", { Int(kill(0, 0)) }),
            attempt(
                "tgkill-parent",
                { systemCall(__NR_tgkill, Int(getppid()), Int(getppid()), 0) }
            ),
            attempt("terminal", { systemCall(__NR_ioctl, 2, 0x5412, 0) }),
            attempt("set-limit", { setLimit() }),
            attempt("outlive-parent", { systemCall(__NR_prctl, 1, 0) }),
        ]
    }

    private func setLimit() -> Int {
        var limit = rlimit(rlim_cur: 8, rlim_max: 8)
        return unsafe Int(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit))
    }

    /// What must go on.
    private func allowed() -> [Line] {
        [
            attempt("kill-self", { Int(kill(getpid(), 0)) }),
            attempt("get-limit", { ProcessFacts.raiseOpenFileLimit() == 32 ? 0 : -1 }),
            attempt(
                "trim",
                {
                    ProcessMemory.giveBack(); return 0
                }
            ),
            attempt("too-many-files", { openMany() }),
        ]
    }

    private func openMany() -> Int {
        var open: [Int32] = []
        defer { for descriptor in open { close(descriptor) } }
        while open.count < 40 {
            let descriptor = unsafe csystem_open(readable + "/a", O_RDONLY, 0)
            if descriptor < 0 { return -1 }
            open.append(descriptor)
        }
        return 0
    }

    private static func answerOfThread() async throws -> Int32 {
        let threads = BlockingThreads(name: "probe", count: 2)
        defer { threads.shutDown() }
        return try await threads.run { 0 }
    }

    private static func answerOfTask() async -> Int32 {
        // Long enough, and with work enough, for Swift's scheduler to look after its threads.
        let answer = await withTaskGroup(of: Int.self) { group in
            for number in 1...40 {
                group.addTask {
                    usleep(2000)
                    try? await Task.sleep(for: .milliseconds(20))
                    return number
                }
            }
            return await group.reduce(0, +)
        }
        return answer == 820 ? 0 : -1
    }
}
