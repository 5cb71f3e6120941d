import PictureSupport
import Prewarm
import TestSupport
import Testing

@Suite("The order in which sources are evicted")
struct EvictionOrderTests {
    private func record(
        _ id: Int,
        nights: Int = 1,
        first: Int = 1,
        last: Int? = nil,
        hits: Int = 1
    ) -> EvictionRecord {
        EvictionRecord(
            id: id,
            nights: nights,
            firstNight: first,
            lastNight: last ?? first,
            hits: hits
        )
    }

    @Test("takes what one night has named before anything that several have, however old that is")
    func probation() {
        let new = record(1, first: 90, hits: 1_000)
        let old = record(2, nights: 2, first: 1, last: 2)
        #expect(new < old)
        #expect(!(old < new))
    }

    @Test("is first in, first out for what one night has named, however many hits it had")
    func fifo() {
        #expect(record(2, first: 3, hits: 50) < record(1, first: 4, hits: 1))
        #expect(record(2, first: 4, hits: 1) < record(1, first: 4, hits: 2))
    }

    @Test("is least recently named for what several nights have, not first in")
    func lru() {
        let early = record(1, nights: 9, first: 1, last: 20)
        let late = record(2, nights: 2, first: 10, last: 12)
        #expect(late < early)
        #expect(record(3, nights: 2, last: 5, hits: 1) < record(1, nights: 2, last: 5, hits: 9))
        #expect(record(1, nights: 2, last: 5) < record(2, nights: 3, last: 5))
    }

    @Test("is the same in the state's query")
    func query() throws {
        var random = SeededGenerator(seed: 11)
        let records = (1...400).map { id in
            record(
                id,
                nights: .random(in: 1...4, using: &random),
                first: .random(in: 1...6, using: &random),
                last: .random(in: 6...12, using: &random),
                hits: .random(in: 0...5, using: &random)
            )
        }
        let rows = records.map {
            "(\($0.id), \($0.nights), \($0.firstNight), \($0.lastNight), \($0.hits), 0)"
        }
        let sql = """
            CREATE TABLE source (id, nights, first_night, night, hits, earlier_hits);
            INSERT INTO source VALUES \(rows.joined(separator: ","));
            SELECT id FROM source ORDER BY \(EvictionRecord.order);
            """
        let sorted = try Program.run("/usr/bin/sqlite3", [":memory:", sql])
        #expect(sorted.lines == records.sorted().map { String($0.id) }, "seed \(random.seed)")
    }
}
