import Foundation
import System
import Testing

@Suite("Facts")
struct FactsTests {
    @Test(
        "Moments are written in ISO 8601",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_738_288_800, "2025-01-31T02:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
        ]
    )
    func wallTime(seconds: Int64, text: String) {
        #expect(WallTime(secondsSince1970: seconds).description == text)
        #expect(WallTime(secondsSince1970: seconds).secondsSince1970 == seconds)
    }

    @Test("Parts of a second round down, also before 1970")
    func roundDown() {
        #expect(WallTime(nanosecondsSince1970: -1).secondsSince1970 == -1)
        #expect(WallTime(nanosecondsSince1970: 1_999_999_999).secondsSince1970 == 1)
        #expect(WallTime(nanosecondsSince1970: -1) < WallTime(nanosecondsSince1970: 0))
    }

    @Test("The process knows itself")
    func process() throws {
        let facts = ProcessFacts.used()
        #expect(facts.peakResidentBytes > 1_000_000)
        #expect(facts.userTime > .zero)
        #expect(ProcessFacts.identifier == getpid())
        #expect(ProcessFacts.usableCores >= 1)
        #expect(ProcessFacts.usableCores <= ProcessInfo.processInfo.processorCount)
        #expect(!ProcessFacts.hostName.isEmpty)
        #expect(ProcessFacts.environment("PATH")?.isEmpty == false)
        #expect(ProcessFacts.environment("GEARBOX_NO_SUCH_NAME") == nil)
        #expect(ProcessFacts.executablePath?.hasPrefix("/") == true)
        #expect(ProcessFacts.raiseOpenFileLimit() >= 256)
    }

    @Test("The memory that can be had is some, and not more than the machine has")
    func memory() throws {
        let total = try String(contentsOfFile: "/proc/meminfo", encoding: .utf8)
            .split(separator: "\n").first { $0.hasPrefix("MemTotal:") }
        let kilobytes = try #require(total.flatMap { Int($0.filter(\.isNumber)) })
        let available = try #require(MachineMemory.available)
        #expect(available > 16 << 20)
        #expect(available <= kilobytes * 1024)
    }
    @Test(
        "A group without a limit, or with more cache than use, has a number left",
        arguments: [
            (Int.max - 4095, 3 << 30, 5 << 30, Int.max - 4095), (Int.max, 0, Int.max, Int.max),
            (1 << 30, 700, 100, (1 << 30) - 600), (100, 300, 50, 0), (0, 0, 0, 0),
        ]
    )
    func left(limit: Int, used: Int, cached: Int, left: Int) {
        #expect(MachineMemory.left(of: limit, used: used, cached: cached) == left)
    }
}
