package import System

/// What a run came to.
package struct RunReport: Sendable, Hashable {
    /// What became of a line of a manifest.
    package enum Outcome: String, Sendable, CaseIterable, Hashable {
        /// Made in this run.
        case produced
        /// There already.
        case reused
        /// Left out by a rule.
        case skipped
        case failed
    }

    package struct StageReport: Sendable, Hashable {
        package var stage: Stage
        package var seconds: Double
        package var tally: Tally
    }

    /// The reason of lines whose variant was not made because the run ended before.
    static let notReached = "not-reached"

    /// Failures, or skipped lines, of one reason.
    package struct Reason: Sendable, Hashable {
        package var outcome: Outcome
        package var code: String
        package var count: Int
        /// A few of them, the first in manifest order.
        package var samples: [Sample]
    }

    package struct Sample: Sendable, Hashable {
        package var manifest: String
        package var line: Int
        package var url: String
        package var message: String
    }

    package var run: Int
    package var pipeline: String
    package var cache: String
    /// Wall-clock seconds of the whole run; stages overlap.
    package var seconds = 0.0
    package var stages: [StageReport] = []
    package var outcomes: [Outcome: Int] = [:]
    package var reasons: [Reason] = []
    /// Variants made in this run, and the bytes of their files.
    package var madeVariants = 0
    package var madeBytes = 0
    /// What the published index holds; `nil` where none is published.
    package var index: Index?
    /// What the workers that render were kept from; `nil` where none was started.
    package var sandbox: Sandbox.Enforcement?
    /// The transfers at once that there were files for; `nil` where they are as many as configured.
    package var transfersWithinOpenFiles: Int?
    package var isInterrupted = false
    package var hasReachedDeadline = false

    package struct Index: Sendable, Hashable {
        package var path: String
        package var generation: Int
        package var sources: Int
        package var variants: Int
    }

    /// Whether something that was asked for is missing.
    package var hasFailed: Bool { count(.failed) > 0 || hasReachedDeadline }
    package func count(_ outcome: Outcome) -> Int { outcomes[outcome] ?? 0 }

    package func tally(_ stage: Stage) -> Tally {
        stages.first { $0.stage == stage }?.tally ?? Tally()
    }
}
