internal import Store

/// What is wrong in a cache directory, and what was done about it.
package struct Verification: Sendable, Hashable {
    package enum Fault: String, Sendable, CaseIterable, Hashable {
        /// A row names a file that is not there.
        case missing
        case wrongSize = "wrong size"
        /// Its bytes have another digest than its name.
        case wrongDigest = "wrong digest"
        case notAPicture = "not a picture"
        case unreadable
        /// A file that neither a row nor an index names.
        case orphan
        /// What a process that has ended was writing.
        case abandoned
        /// The published index, missing or damaged.
        case index

        init(_ fault: FileFault) {
            self =
                switch fault {
                case .missing: .missing
                case .wrongSize: .wrongSize
                case .wrongDigest: .wrongDigest
                case .notAPicture: .notAPicture
                case .unreadable: .unreadable
                }
        }
    }

    package struct Finding: Sendable, Hashable {
        package var count = 0
        /// How many of them the published index names.
        package var published = 0
        /// The first few files, with what there is to say of them.
        package var samples: [String] = []
    }

    package struct Repair: Sendable, Hashable {
        /// Variants whose file is to be made again.
        package var dueVariants = 0
        package var removedFiles = 0
        package var removedBytes = 0
        /// The generation that was published without them; `nil` where none had to be.
        package var generation: Int?
    }

    private static let samples = 3

    package var cache: String
    /// What was read.
    package var files = 0
    package var bytes = 0
    package var seconds = 0.0
    package private(set) var findings: [Fault: Finding] = [:]
    /// `nil` where it was not asked for.
    package var repair: Repair?

    package var isClean: Bool { findings.isEmpty }

    mutating func add(_ fault: Fault, _ sample: String, isPublished: Bool = false) {
        var finding = findings[fault] ?? Finding()
        finding.count += 1
        if isPublished { finding.published += 1 }
        if finding.samples.count < Self.samples { finding.samples.append(sample) }
        findings[fault] = finding
    }
}
