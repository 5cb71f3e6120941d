import Foundation
import Testing
import Transfer

@Suite("A system that has nothing left")
struct ExhaustedSystemTests {
    @Test("ends a process that cannot start the thread of transfers, with a status of its own")
    func noThread() async {
        let result = await #expect(
            processExitsWith: .exitCode(4),
            observing: [\.standardErrorContent]
        ) {
            // Less than a thread's stack, more than what asks for it.
            let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
                .split(separator: " ")[0]
            let size = UInt(pages)! * UInt(getpagesize()) + 2 << 20
            var limit = rlimit(rlim_cur: size, rlim_max: size)
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
            _ = TransferClient(.loopback)
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("the system has no thread left for transfers"), "\(said)")
    }
}
