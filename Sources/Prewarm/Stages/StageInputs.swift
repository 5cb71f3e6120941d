internal import GearboxURL
internal import System

/// What the stages before the fetch depend on: where it is as it was when a stage was last done, what
/// that stage has written is what it would write again.
struct StageInputs {
    private let context: RunContext
    private let program: String

    /// `nil` where nobody can tell which program this is: another one may do it otherwise.
    init?(_ context: RunContext) {
        guard let program = try? FileStatus(of: "/proc/self/exe") else { return nil }
        self.context = context
        self.program = Self.stamp(program)
    }

    /// The manifests' files, and all that the pipeline says: by other rules the same lines are another
    /// listing, so that what the rules before have led to is told from it.
    ///
    /// - Returns: `nil` where a file may change without being seen to: standard input, and what was
    ///   written only just now, on a file system whose clock may be coarse.
    func ofIngest() -> String? {
        var parts = [program, context.pipeline.rememberedText]
        let newest = WallTime.now().nanosecondsSince1970 - Self.coarsestClock
        for manifest in context.pipeline.manifests {
            guard manifest.path != "-", let status = try? FileStatus(of: manifest.path),
                status.kind == .regular,
                status.changedNanoseconds < newest
            else { return nil }
            parts.append("\(manifest.path) \(manifest.shape) \(Self.stamp(status))")
        }
        return Self.name(parts)
    }

    /// A listing, and all that the pipeline says.
    func ofListing(_ listing: Int) -> String {
        Self.name([program, "\(listing)", context.pipeline.rememberedText])
    }

    /// Nanoseconds: FAT has two seconds.
    private static let coarsestClock: Int64 = 2_000_000_000

    private static func stamp(_ status: FileStatus) -> String {
        "\(status.device) \(status.inode) \(status.bytes) \(status.modifiedNanoseconds)"
            + " \(status.changedNanoseconds)"
    }

    private static func name(_ parts: [String]) -> String {
        parts.map { "\($0.utf8.count) \($0)" }.joined(separator: "\n")
    }
}
