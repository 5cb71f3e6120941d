#pragma once
#include <stddef.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/types.h>

// glibc declares these only under _GNU_SOURCE, with which the Glibc module is not built.
int syncfs(int descriptor);
int pthread_setname_np(unsigned long thread, const char *name);
int sched_getaffinity(int process, size_t size, void *set);
int renameat2(int from, const char *old, int to, const char *name, unsigned flags);
ssize_t copy_file_range(int from, int64_t *at, int to, int64_t *place, size_t count, unsigned flags);

// Names a thread; a longer name than the kernel's 15 bytes would be refused.
static inline void csystem_set_thread_name(unsigned long thread, const char *name) {
    (void)pthread_setname_np(thread, name);
}

// renameat2 is hidden from Swift, see above: two paths change their names at once.
static inline int csystem_exchange(const char *path, const char *other) {
    const int here = -100 /* AT_FDCWD */;
    return renameat2(here, path, here, other, 2 /* RENAME_EXCHANGE */);
}

// copy_file_range is hidden from Swift, see above.
static inline ssize_t csystem_copy(int from, int to, size_t count) {
    return copy_file_range(from, NULL, to, NULL, count, 0);
}

// syncfs is hidden from Swift, see above.
static inline int csystem_syncfs(int descriptor) { return syncfs(descriptor); }

// The CPU_COUNT macro is lost on import: how many cores this process may use, 0 where unknown.
static inline int csystem_usable_cores(void) {
    uint64_t set[128] = {0};
    if (sched_getaffinity(0, sizeof set, set) < 0) return 0;
    int count = 0;
    for (size_t index = 0; index < sizeof set / sizeof set[0]; index++) {
        count += __builtin_popcountll(set[index]);
    }
    return count;
}

// renameat2 is hidden from Swift, see above: gives a file a name that no other has, and fails with EEXIST
// where one has. Some file systems cannot: EINVAL.
int renameat2(int folder, const char *path, int target_folder, const char *target, unsigned flags);
static inline int csystem_rename_to_new(const char *path, const char *target) {
    return renameat2(-100 /* AT_FDCWD */, path, -100, target, 1 /* RENAME_NOREPLACE */);
}

// ioctl is variadic: the columns of a terminal, 0 where the descriptor is none.
static inline int csystem_terminal_columns(int descriptor) {
    struct winsize size = {0};
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// open is variadic.
int open(const char *path, int flags, ...);
static inline int csystem_open(const char *path, int flags, unsigned mode) {
    return open(path, flags, mode);
}

// fcntl is variadic.
#include <fcntl.h>
static inline void csystem_close_on_exec(int descriptor) {
    (void)fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

// The handler is a member of a union inside struct sigaction, under a macro's name.
#include <signal.h>
static inline int csystem_ignores_signal(int number) {
    struct sigaction action = {0};
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}
static inline void csystem_handle_signal(int number, void (*handler)(int)) {
    struct sigaction action = {0};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    (void)sigaction(number, &action, NULL);
}

// malloc.h is not in the Glibc module: how many arenas threads may spread over; each keeps what was
// freed in it.
static inline void csystem_bound_arenas(int count) { (void)mallopt(M_ARENA_MAX, count); }

// See above: from which size on a block is a mapping of its own, gone when it is freed; left alone, glibc
// raises that to 32 MiB when the first such block is freed. And how much that is free at the end of
// an arena stays: the default of 128 KiB gives back and takes again all the time.
static inline void csystem_map_blocks_from(int bytes, int kept) {
    (void)mallopt(M_MMAP_THRESHOLD, bytes);
    (void)mallopt(M_TRIM_THRESHOLD, kept);
}

// See above: gives freed memory back to the kernel.
static inline void csystem_give_memory_back(void) { (void)malloc_trim(0); }

// fcntl is variadic: a descriptor's flags, -1 where it is closed.
static inline int csystem_descriptor_flags(int descriptor) { return fcntl(descriptor, F_GETFD); }
