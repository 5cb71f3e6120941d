#pragma once
#include <asm/unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

// What Swift cannot call: system calls without a wrapper, and the filter's macros.
long syscall(long number, ...);

// prctl is variadic, capset has no declaration. Nothing that this process starts gains rights, no
// memory of it is written to a core file, and of root's rights only those to files are left: they
// decide whether the store can be written at all.
static inline int csystem_give_up_privileges(void) {
    (void)prctl(PR_SET_DUMPABLE, 0UL, 0UL, 0UL, 0UL);
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct rights[2] = {{0}};
    if (syscall(__NR_capget, &header, rights) == 0) {
        uint32_t kept = rights[0].permitted & (1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH);
        rights[0] = (struct __user_cap_data_struct){.effective = kept, .permitted = kept};
        rights[1] = (struct __user_cap_data_struct){0};
        (void)syscall(__NR_capset, &header, rights);
    }
    return prctl(PR_SET_NO_NEW_PRIVS, 1UL, 0UL, 0UL, 0UL) == 0 ? 0 : errno;
}

// Lowers a limit for good; it is never raised. `which` is 0 for core files, 1 for open files, 2 for
// data. Returns what is in force, UINT64_MAX where it is unlimited.
static inline uint64_t csystem_lower_limit(int which, uint64_t value) {
    int resource = which == 0 ? RLIMIT_CORE : which == 1 ? RLIMIT_NOFILE : RLIMIT_DATA;
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return UINT64_MAX;
    if (value < limit.rlim_max) limit.rlim_max = value;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(resource, &limit) != 0 && getrlimit(resource, &limit) != 0) return UINT64_MAX;
    return limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX : limit.rlim_cur;
}

// Landlock: older headers than the kernel's lack most of these.
struct csystem_landlock_rights {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
};
struct csystem_landlock_rule {
    uint64_t rights;
    int32_t descriptor;
} __attribute__((packed));

enum {
    csystem_landlock_write_file = 1 << 1,
    csystem_landlock_read_file = 1 << 2,
    csystem_landlock_read_folder = 1 << 3,
    csystem_landlock_remove_file = 1 << 5,
    csystem_landlock_make_file = 1 << 8,
    csystem_landlock_truncate = 1 << 14,
};

// The version of Landlock that the kernel has; 0 for none.
static inline int csystem_landlock_version(void) {
    long version = syscall(444, NULL, (size_t)0, 1U);
    return version > 0 ? (int)version : 0;
}

// What a version can take away: it all is, but for what rules give back. A kernel refuses the names
// that it does not know.
static inline uint64_t csystem_landlock_file_rights(int version) {
    uint64_t rights = (1 << 13) - 1;
    if (version >= 2) rights |= 1 << 13;
    if (version >= 3) rights |= csystem_landlock_truncate;
    if (version >= 5) rights |= 1 << 15;
    return rights;
}

// The descriptor of a new set of rules, -1 with errno where there is none.
static inline int csystem_landlock_begin(int version) {
    struct csystem_landlock_rights all = {.files = csystem_landlock_file_rights(version)};
    size_t size = sizeof all.files;
    if (version >= 4) {
        all.network = 3;
        size = offsetof(struct csystem_landlock_rights, scopes);
    }
    if (version >= 6) {
        all.scopes = 3;
        size = sizeof all;
    }
    return (int)syscall(444, &all, size, 0U);
}

// Gives rights back beneath a path: those of `rights` that the version has, and that a file has
// where the path is one. Returns an errno; ENOENT where there is no such path.
static inline int csystem_landlock_allow(
    int rules, int version, const char *path, uint64_t rights
) {
    // O_PATH is under _GNU_SOURCE.
    int descriptor = open(path, 010000000 | O_CLOEXEC);
    if (descriptor < 0) return errno;
    struct stat status;
    int failed = fstat(descriptor, &status) == 0 ? 0 : errno;
    if (!failed) {
        if (!S_ISDIR(status.st_mode)) {
            rights &= csystem_landlock_read_file | csystem_landlock_write_file
                | csystem_landlock_truncate;
        }
        struct csystem_landlock_rule rule = {
            .rights = rights & csystem_landlock_file_rights(version),
            .descriptor = descriptor,
        };
        failed = syscall(445, rules, 1, &rule, 0U) == 0 ? 0 : errno;
    }
    close(descriptor);
    return failed;
}

// Puts the rules in force for this thread and those that it starts. Returns an errno.
static inline int csystem_landlock_enter(int rules) {
    return syscall(446, rules, 0U) == 0 ? 0 : errno;
}

#if defined(__x86_64__)
#define CSYSTEM_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define CSYSTEM_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define CSYSTEM_LOAD(field) \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, field))
// Little-endian: the low half comes first.
#define CSYSTEM_LOAD_LOW(index) CSYSTEM_LOAD(args[index])
#define CSYSTEM_LOAD_HIGH(index) \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, args[index]) + 4)
#define CSYSTEM_ANSWER(answer) BPF_STMT(BPF_RET | BPF_K, (answer))
#define CSYSTEM_REFUSE CSYSTEM_ANSWER(SECCOMP_RET_ERRNO | EPERM)
#define CSYSTEM_IS_MISSING CSYSTEM_ANSWER(SECCOMP_RET_ERRNO | ENOSYS)
#define CSYSTEM_ALLOW CSYSTEM_ANSWER(SECCOMP_RET_ALLOW)
// Does what follows, of a length, only where the loaded word is the value.
#define CSYSTEM_IF(value, length) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (length))
#define CSYSTEM_UNLESS(value) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 1, 0)
#define CSYSTEM_NEVER(name) CSYSTEM_IF(__NR_##name, 1), CSYSTEM_REFUSE

// Takes the calls away that no decoder needs, from every thread of the process. Calls that came
// after Linux 5.17 are missing altogether: programs have to live without them anyway. Returns 0, or
// an errno; ENOSYS where the kernel or the machine has no filters.
static inline int csystem_filter_calls(void) {
#ifndef CSYSTEM_ARCHITECTURE
    return ENOSYS;
#else
    uint32_t own = (uint32_t)getpid();
    struct sock_filter program[] = {
        CSYSTEM_LOAD(arch),
        CSYSTEM_UNLESS(CSYSTEM_ARCHITECTURE),
        CSYSTEM_ANSWER(SECCOMP_RET_KILL_PROCESS),
        CSYSTEM_LOAD(nr),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, __NR_set_mempolicy_home_node, 0, 1),
        CSYSTEM_IS_MISSING,

        // The flags of these lie in memory, where a filter cannot see them. glibc then takes clone.
        CSYSTEM_IF(__NR_clone3, 1), CSYSTEM_IS_MISSING,
        CSYSTEM_IF(__NR_openat2, 1), CSYSTEM_IS_MISSING,
        // Threads only.
        CSYSTEM_IF(__NR_clone, 4), CSYSTEM_LOAD_LOW(0),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1), CSYSTEM_ALLOW, CSYSTEM_REFUSE,
        // Signals to this process only: abort sends one.
        CSYSTEM_IF(__NR_kill, 4), CSYSTEM_LOAD_LOW(0), CSYSTEM_IF(own, 1), CSYSTEM_ALLOW,
        CSYSTEM_REFUSE,
        CSYSTEM_IF(__NR_tgkill, 4), CSYSTEM_LOAD_LOW(0), CSYSTEM_IF(own, 1), CSYSTEM_ALLOW,
        CSYSTEM_REFUSE,
        // Limits are read, not set: root could raise them.
        CSYSTEM_IF(__NR_prlimit64, 8), CSYSTEM_LOAD_LOW(0), CSYSTEM_IF(0, 5),
        CSYSTEM_LOAD_LOW(2), CSYSTEM_IF(0, 3), CSYSTEM_LOAD_HIGH(2), CSYSTEM_IF(0, 1),
        CSYSTEM_ALLOW, CSYSTEM_REFUSE,
        // Opening to read could empty a file before Landlock 3.
        CSYSTEM_IF(__NR_openat, 5), CSYSTEM_LOAD_LOW(2),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, O_TRUNC | O_ACCMODE), CSYSTEM_IF(O_TRUNC, 1),
        CSYSTEM_REFUSE, CSYSTEM_ALLOW,
        // What the library asks of an open file. A terminal takes keystrokes by this call.
        CSYSTEM_IF(__NR_ioctl, 12), CSYSTEM_LOAD_LOW(1),
        CSYSTEM_IF(TCGETS, 1), CSYSTEM_ALLOW, CSYSTEM_IF(TIOCGWINSZ, 1), CSYSTEM_ALLOW,
        CSYSTEM_IF(FIONREAD, 1), CSYSTEM_ALLOW, CSYSTEM_IF(FIOCLEX, 1), CSYSTEM_ALLOW,
        CSYSTEM_IF(FIONBIO, 1), CSYSTEM_ALLOW, CSYSTEM_REFUSE,
        // Names of threads and mappings, and what only reads.
        CSYSTEM_IF(__NR_prctl, 14), CSYSTEM_LOAD_LOW(0),
        CSYSTEM_IF(PR_SET_NAME, 1), CSYSTEM_ALLOW, CSYSTEM_IF(PR_GET_NAME, 1), CSYSTEM_ALLOW,
        CSYSTEM_IF(0x53564d41, 1), CSYSTEM_ALLOW, CSYSTEM_IF(PR_GET_DUMPABLE, 1), CSYSTEM_ALLOW,
        CSYSTEM_IF(PR_GET_NO_NEW_PRIVS, 1), CSYSTEM_ALLOW,
        CSYSTEM_IF(PR_GET_SECCOMP, 1), CSYSTEM_ALLOW, CSYSTEM_REFUSE,

        // Other machines and other programs.
        CSYSTEM_NEVER(socket), CSYSTEM_NEVER(socketpair), CSYSTEM_NEVER(connect),
        CSYSTEM_NEVER(bind), CSYSTEM_NEVER(listen), CSYSTEM_NEVER(accept), CSYSTEM_NEVER(accept4),
        CSYSTEM_NEVER(execve), CSYSTEM_NEVER(execveat),
        CSYSTEM_NEVER(shmget), CSYSTEM_NEVER(shmat), CSYSTEM_NEVER(shmctl),
        CSYSTEM_NEVER(semget), CSYSTEM_NEVER(semop), CSYSTEM_NEVER(semctl),
        CSYSTEM_NEVER(semtimedop), CSYSTEM_NEVER(msgget), CSYSTEM_NEVER(msgsnd),
        CSYSTEM_NEVER(msgrcv), CSYSTEM_NEVER(msgctl),
        CSYSTEM_NEVER(mq_open), CSYSTEM_NEVER(mq_unlink),
        // Other processes.
        CSYSTEM_NEVER(ptrace), CSYSTEM_NEVER(process_vm_readv), CSYSTEM_NEVER(process_vm_writev),
        CSYSTEM_NEVER(process_madvise), CSYSTEM_NEVER(process_mrelease), CSYSTEM_NEVER(kcmp),
        CSYSTEM_NEVER(tkill), CSYSTEM_NEVER(rt_sigqueueinfo), CSYSTEM_NEVER(rt_tgsigqueueinfo),
        CSYSTEM_NEVER(pidfd_open), CSYSTEM_NEVER(pidfd_getfd), CSYSTEM_NEVER(pidfd_send_signal),
        CSYSTEM_NEVER(setpgid), CSYSTEM_NEVER(setsid), CSYSTEM_NEVER(setpriority),
        CSYSTEM_NEVER(move_pages), CSYSTEM_NEVER(migrate_pages),
        // What Landlock leaves alone: the owner, mode and times of files.
        CSYSTEM_NEVER(fchmod), CSYSTEM_NEVER(fchmodat), CSYSTEM_NEVER(fchown),
        CSYSTEM_NEVER(fchownat), CSYSTEM_NEVER(utimensat), CSYSTEM_NEVER(truncate),
        CSYSTEM_NEVER(mknodat), CSYSTEM_NEVER(symlinkat),
        CSYSTEM_NEVER(setxattr), CSYSTEM_NEVER(lsetxattr), CSYSTEM_NEVER(fsetxattr),
        CSYSTEM_NEVER(removexattr), CSYSTEM_NEVER(lremovexattr), CSYSTEM_NEVER(fremovexattr),
        CSYSTEM_NEVER(open_by_handle_at), CSYSTEM_NEVER(name_to_handle_at),
        CSYSTEM_NEVER(fanotify_init), CSYSTEM_NEVER(fanotify_mark),
        CSYSTEM_NEVER(chroot), CSYSTEM_NEVER(pivot_root),
        CSYSTEM_NEVER(mount), CSYSTEM_NEVER(umount2), CSYSTEM_NEVER(move_mount),
        CSYSTEM_NEVER(open_tree), CSYSTEM_NEVER(fsopen), CSYSTEM_NEVER(fsconfig),
        CSYSTEM_NEVER(fsmount), CSYSTEM_NEVER(fspick), CSYSTEM_NEVER(mount_setattr),
        CSYSTEM_NEVER(quotactl), CSYSTEM_NEVER(quotactl_fd), CSYSTEM_NEVER(acct),
        CSYSTEM_NEVER(swapon), CSYSTEM_NEVER(swapoff),
        // The kernel's own insides, where most of its faults have been.
        CSYSTEM_NEVER(bpf), CSYSTEM_NEVER(userfaultfd), CSYSTEM_NEVER(perf_event_open),
        CSYSTEM_NEVER(io_uring_setup), CSYSTEM_NEVER(io_uring_enter),
        CSYSTEM_NEVER(io_uring_register), CSYSTEM_NEVER(io_setup), CSYSTEM_NEVER(io_submit),
        CSYSTEM_NEVER(add_key), CSYSTEM_NEVER(request_key), CSYSTEM_NEVER(keyctl),
        CSYSTEM_NEVER(splice), CSYSTEM_NEVER(tee), CSYSTEM_NEVER(vmsplice),
        CSYSTEM_NEVER(seccomp), CSYSTEM_NEVER(personality), CSYSTEM_NEVER(syslog),
        CSYSTEM_NEVER(init_module), CSYSTEM_NEVER(finit_module), CSYSTEM_NEVER(delete_module),
        CSYSTEM_NEVER(kexec_load), CSYSTEM_NEVER(kexec_file_load), CSYSTEM_NEVER(reboot),
        // Who and where this process is.
        CSYSTEM_NEVER(unshare), CSYSTEM_NEVER(setns), CSYSTEM_NEVER(setrlimit),
        CSYSTEM_NEVER(setuid), CSYSTEM_NEVER(setgid), CSYSTEM_NEVER(setreuid),
        CSYSTEM_NEVER(setregid), CSYSTEM_NEVER(setresuid), CSYSTEM_NEVER(setresgid),
        CSYSTEM_NEVER(setfsuid), CSYSTEM_NEVER(setfsgid), CSYSTEM_NEVER(setgroups),
        CSYSTEM_NEVER(capset), CSYSTEM_NEVER(sethostname), CSYSTEM_NEVER(setdomainname),
        CSYSTEM_NEVER(settimeofday), CSYSTEM_NEVER(clock_settime), CSYSTEM_NEVER(adjtimex),
        CSYSTEM_NEVER(clock_adjtime), CSYSTEM_NEVER(vhangup),
#ifdef __x86_64__
        // The older forms of some, which other machines never had.
        CSYSTEM_IF(__NR_open, 5), CSYSTEM_LOAD_LOW(1),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, O_TRUNC | O_ACCMODE), CSYSTEM_IF(O_TRUNC, 1),
        CSYSTEM_REFUSE, CSYSTEM_ALLOW,
        CSYSTEM_NEVER(fork), CSYSTEM_NEVER(vfork), CSYSTEM_NEVER(chmod), CSYSTEM_NEVER(chown),
        CSYSTEM_NEVER(lchown), CSYSTEM_NEVER(utime), CSYSTEM_NEVER(utimes),
        CSYSTEM_NEVER(futimesat), CSYSTEM_NEVER(mknod), CSYSTEM_NEVER(symlink),
        CSYSTEM_NEVER(uselib), CSYSTEM_NEVER(modify_ldt), CSYSTEM_NEVER(iopl),
        CSYSTEM_NEVER(ioperm),
#endif
        CSYSTEM_ALLOW,
    };
    struct sock_fprog filter = {.len = sizeof program / sizeof program[0], .filter = program};
    long result = syscall(
        __NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
    if (result == 0) return 0;
    // Above 0 is the number of a thread that has another filter.
    return result > 0 ? EBUSY : errno;
#endif
}
