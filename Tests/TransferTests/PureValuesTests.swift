import Testing
import Transfer

@Suite("Waits and budgets")
struct PureValuesTests {
    @Test(
        "Retry-After is read in both forms",
        arguments: [
            ("2", Duration.seconds(2)), ("0", .zero), ("86400", .seconds(86400)),
            ("Wed, 21 Oct 2015 07:28:10 GMT", .seconds(10)),
            ("Wed, 21 Oct 2015 07:27:00 GMT", .zero),
            ("99999999999999999999", .seconds(Int64(Int32.max))),
            ("soon", nil), ("", nil), ("-1", nil), (nil, nil),
        ]
    )
    func retryAfter(text: String?, expected: Duration?) {
        // 2015-10-21T07:28:00Z
        #expect(TransferResponse.retryAfter(text, now: 1_445_412_480) == expected)
    }

    @Test("A budget that is overdrawn holds the next back until it is even")
    func budget() {
        let start = ContinuousClock.now
        var budget = ByteBudget(bytesPerSecond: 1000, now: start)
        var waits = [budget.wait(now: start)]
        budget.spend(3000)
        for later in [0, 1, 2.91] { waits.append(budget.wait(now: start + .seconds(later))) }
        #expect(waits[0] == .zero)
        #expect(waits[1] > .seconds(2.9) && waits[1] < .seconds(2.91))
        #expect(waits[2] > .seconds(1.9) && waits[2] < .seconds(1.91))
        #expect(waits[3] == .zero)
        // A long pause saves up a tenth of a second's worth, not more.
        _ = budget.wait(now: start + .seconds(100))
        budget.spend(600)
        let overdrawn = budget.wait(now: start + .seconds(100))
        #expect(overdrawn > .milliseconds(490) && overdrawn < .milliseconds(510))
        #expect(ByteBudget.transfers(ofBytesPerSecond: 1, atMost: 64) == 2)
        #expect(ByteBudget.transfers(ofBytesPerSecond: 1 << 20, atMost: 64) == 32)
        #expect(ByteBudget.transfers(ofBytesPerSecond: 5_000_000, atMost: 64) == 64)
    }
}
