import CSystem
import Glibc

/// What the process keeps of the memory that it has freed.
package enum ProcessMemory {
    /// Bounds the pools that freed memory stays in.
    ///
    /// Left alone, glibc makes eight for each core, and large pictures leave holes in all of them; and
    /// it gives the end of a pool back and takes it again with every body that comes and goes.
    /// Called once, before any thread starts.
    package static func boundArenas() {
        csystem_bound_arenas(2)
        csystem_map_blocks_from(1 << 20, 8 << 20)
    }

    /// Has blocks of eight megabytes and more go back to the kernel when they are freed, in place of
    /// being kept for later: large pictures in memory are such blocks.
    ///
    /// With one megabyte two workers peak a quarter lower and take a tenth more processor time. Called
    /// once, before any thread starts.
    package static func returnLargeBlocks() { csystem_map_blocks_from(8 << 20, 32 << 20) }

    /// Gives freed memory back to the kernel; costs a few milliseconds.
    package static func giveBack() { csystem_give_memory_back() }

    /// Whether the process could take so much more memory now; takes none.
    ///
    /// Limits on address space and on data count; whether the machine has as much does not.
    package static func canTake(_ bytes: Int) -> Bool {
        let place = unsafe mmap(
            nil,
            max(bytes, 1),
            PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
            -1,
            0
        )
        guard let place = unsafe place, unsafe place != MAP_FAILED else { return false }
        unsafe munmap(place, max(bytes, 1))
        return true
    }

    /// What RLIMIT_DATA counts: the writable memory of this process that is its own, touched or not;
    /// `nil` where /proc is not mounted.
    package static func dataBytes() -> Int? { ProcessFacts.statusBytes("VmData") }
}
