// Loaded before everything else under the thread sanitizer.
//
// The first try of a Mutex is compiled into each program, where the sanitizer sees it. What follows
// where another thread has the lock lies in a library of Swift's that was built without the
// sanitizer: it would see no order between the two threads, and call every second use of what the
// lock protects a race.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Missing in programs without the sanitizer, which inherit this, too.
__attribute__((weak)) void __tsan_acquire(void *word);
__attribute__((weak)) void __tsan_release(void *word);

#define HANDLE "$s15Synchronization12_MutexHandleV"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *word
// The library's own, as this type.
#define NEXT(type, name) ((type) dlsym(RTLD_NEXT, HANDLE name))

typedef SWIFT void locking(uint32_t thread, SELF);
typedef SWIFT bool trying(SELF);
typedef SWIFT void unlocking(SELF);

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(HANDLE "9_lockSlowyys6UInt32VF");
SWIFT void lock_slow(uint32_t thread, SELF) {
    NEXT(locking *, "9_lockSlowyys6UInt32VF")(thread, word);
    if (__tsan_acquire != NULL) __tsan_acquire(word);
}

SWIFT bool try_slow(SELF) __asm__(HANDLE "12_tryLockSlowSbyF");
SWIFT bool try_slow(SELF) {
    bool taken = NEXT(trying *, "12_tryLockSlowSbyF")(word);
    if (taken && __tsan_acquire != NULL) __tsan_acquire(word);
    return taken;
}

SWIFT void unlock_slow(SELF) __asm__(HANDLE "11_unlockSlowyyF");
SWIFT void unlock_slow(SELF) {
    if (__tsan_release != NULL) __tsan_release(word);
    NEXT(unlocking *, "11_unlockSlowyyF")(word);
}
