import PictureSupport
import Prewarm
import Testing

@Suite("The budget of memory")
struct MemoryBudgetTests {
    @Test("admits jobs while there is room, and the next when one has left")
    func room() {
        let budget = SharedMemory(total: 100)
        var jobs: [MemoryBudget.Ticket] = []
        for bytes in [60, 40, 10] { jobs.append(budget.enter(bytes)) }
        var answers: [Bool] = []
        for job in jobs { answers.append(budget.admits(job)) }
        #expect(answers == [true, true, false])
        #expect(budget.taken == 100)
        budget.leave(jobs[1])
        #expect(budget.admits(jobs[2]))
        #expect(budget.admits(jobs[2]), "what has begun stays so")
        #expect(budget.taken == 70)
    }

    @Test("lets no small job pass a large one")
    func order() {
        let budget = SharedMemory(total: 100)
        let first = budget.enter(50)
        #expect(budget.admits(first))
        let large = budget.enter(90)
        let small = budget.enter(1)
        #expect(!budget.admits(large))
        #expect(!budget.admits(small))
        budget.leave(first)
        #expect(!budget.admits(small))
        #expect(budget.admits(large))
        #expect(budget.admits(small))
    }

    @Test("admits a job that is larger than everything when it is alone")
    func larger() {
        let budget = SharedMemory(total: 100)
        let small = budget.enter(1)
        #expect(budget.admits(small))
        let huge = budget.enter(1_000)
        #expect(!budget.admits(huge))
        budget.leave(small)
        #expect(budget.admits(huge))
        let next = budget.enter(0)
        #expect(!budget.admits(next))
        budget.leave(huge)
        #expect(budget.admits(next))
    }

    @Test("A job that gives up makes way for the next")
    func givingUp() {
        let budget = SharedMemory(total: 100)
        let first = budget.enter(100)
        #expect(budget.admits(first))
        let second = budget.enter(100)
        let third = budget.enter(100)
        budget.leave(second)
        budget.leave(first)
        #expect(budget.admits(third))
    }

    @Test(
        "is never exceeded but by one job alone, and serves all in their order",
        arguments: 0..<20
    )
    func generated(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let budget = SharedMemory(total: 1_000)
        var waiting: [(ticket: MemoryBudget.Ticket, bytes: Int)] = []
        var begun: [(ticket: MemoryBudget.Ticket, bytes: Int)] = []
        for _ in 0..<500 {
            switch Int.random(in: 0..<3, using: &generator) {
            case 0:
                let bytes = Int.random(in: 0...1_200, using: &generator)
                waiting.append((budget.enter(bytes), bytes))
            case 1:
                if let index = begun.indices.randomElement(using: &generator) {
                    budget.leave(begun.remove(at: index).ticket)
                }
            default:
                if waiting.count > 1 {
                    #expect(!budget.admits(waiting[1].ticket), "seed \(seed)")
                }
                if let first = waiting.first, budget.admits(first.ticket) {
                    begun.append(waiting.removeFirst())
                }
            }
            let taken = begun.reduce(0) { $0 + $1.bytes }
            #expect(budget.taken == taken, "seed \(seed)")
            #expect(taken <= 1_000 || begun.count == 1, "seed \(seed)")
            if begun.isEmpty, let first = waiting.first {
                #expect(budget.admits(first.ticket), "seed \(seed)")
                begun.append(waiting.removeFirst())
            }
        }
    }
}
