#pragma once
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/socket.h>

// glibc declares these only under _GNU_SOURCE, with which the Glibc module is not built.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
const char *sigabbrev_np(int number);
extern char **environ;

// The signals that a terminal or a service's end sends to every process of it.
static inline void csystem_stop_signals(sigset_t *set) {
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGHUP);
}

// `environ` is a mutable global and closefrom hidden, see above: starts a program with `end` as its
// descriptor 3, /dev/null as input and output, and no other descriptor but the error stream.
// Returns an errno.
static inline int csystem_start_child(
    const char *program, char *const *arguments, int end, int *identifier
) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed) return failed;
    failed = posix_spawnattr_init(&attributes);
    if (failed) {
        posix_spawn_file_actions_destroy(&actions);
        return failed;
    }
    // Held back until the program says what it does with them; else one that comes while it starts
    // would end it.
    sigset_t held, usual;
    csystem_stop_signals(&held);
    sigemptyset(&usual);
    sigaddset(&usual, SIGINT);
    sigaddset(&usual, SIGTERM);
    sigaddset(&usual, SIGHUP);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGXFSZ);
    sigaddset(&usual, SIGCHLD);
    if ((failed = posix_spawn_file_actions_adddup2(&actions, end, 3)) == 0
        && (failed = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)) == 0
        && (failed = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)) == 0
        && (failed = posix_spawn_file_actions_addclosefrom_np(&actions, 4)) == 0
        && (failed = posix_spawnattr_setpgroup(&attributes, 0)) == 0
        && (failed = posix_spawnattr_setsigmask(&attributes, &held)) == 0
        && (failed = posix_spawnattr_setsigdefault(&attributes, &usual)) == 0
        && (failed = posix_spawnattr_setflags(
                &attributes,
                POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)) == 0) {
        failed = posix_spawn(identifier, program, &actions, &attributes, arguments, environ);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

// SOCK_STREAM is an enumeration of C: a pair of sockets that no program started at the same time
// inherits. Returns an errno.
static inline int csystem_socket_pair(int ends[2]) {
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 ? 0 : errno;
}

// See above: whether the descriptor is a socket whose bytes keep their order.
static inline int csystem_is_stream_socket(int descriptor) {
    int kind = 0;
    socklen_t size = sizeof kind;
    return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &kind, &size) == 0 && kind == SOCK_STREAM;
}

// The flags are enumerations of C. Neither call waits, and neither sends a signal.
static inline ptrdiff_t csystem_send(int descriptor, const void *bytes, size_t count) {
    return send(descriptor, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
}
static inline ptrdiff_t csystem_receive(int descriptor, void *bytes, size_t count) {
    return recv(descriptor, bytes, count, MSG_DONTWAIT);
}
static inline void csystem_shut_down(int descriptor) { (void)shutdown(descriptor, SHUT_RDWR); }

// The name is hidden, see above: SEGV for SIGSEGV, NULL where there is none.
static inline const char *csystem_signal_name(int number) { return sigabbrev_np(number); }

// Ignores the signals that ask a process to stop, and lets those go that were held back.
static inline void csystem_ignore_stops(void) {
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    sigset_t held;
    csystem_stop_signals(&held);
    (void)pthread_sigmask(SIG_UNBLOCK, &held, NULL);
}

// prctl is variadic: has this process killed when the thread that started it ends.
static inline int csystem_die_with_parent(void) {
    return prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL, 0UL, 0UL, 0UL) == 0 ? 0 : errno;
}

// The handler is a member of a union inside struct sigaction: where whoever started this process
// had it ignore the ends of children, the kernel would forget how they ended.
static inline void csystem_keep_ended_children(void) {
    struct sigaction action;
    if (sigaction(SIGCHLD, NULL, &action) == 0
        && (action.sa_handler == SIG_IGN || (action.sa_flags & SA_NOCLDWAIT))) {
        signal(SIGCHLD, SIG_DFL);
    }
}
