internal import Prewarm
internal import System

/// What a run came to, for a person.
enum RunSummary {
    static func text(of report: RunReport) -> String {
        var lines: [String] = []
        let outcomes = RunReport.Outcome.allCases.map { "\(report.count($0)) \($0.rawValue)" }
        let seconds = (report.seconds * 10).rounded() / 10
        lines.append(
            "run \(report.run) of \(report.pipeline): \(outcomes.joined(separator: ", ")) in"
                + " \(seconds) s"
        )
        if report.madeVariants > 0 {
            lines.append(
                "  made \(report.madeVariants) variants, \(ByteText.of(report.madeBytes))"
            )
        }
        for reason in report.reasons {
            lines += reason.lines
            if reason.count > reason.samples.count {
                lines.append("    and \(reason.count - reason.samples.count) more: --json has all")
            }
        }
        let parameters = report.tally(.canonicalize).sorted.filter {
            $0.name.hasPrefix("parameter ")
        }
        if !parameters.isEmpty {
            let names = parameters.sorted { $0.count > $1.count }.prefix(8).map {
                "\($0.name.dropFirst("parameter ".count)) (\($0.count))"
            }
            lines.append(
                "  unknown parameters kept: \(names.joined(separator: ", ")); drop those that do not"
                    + " change the picture"
            )
        }
        let stills = report.tally(.render)["animations dropped"]
        if stills > 0 {
            lines.append(
                "  animations dropped: \(stills), of PNG or AVIF, whose first picture alone can be read"
            )
        }
        if let index = report.index {
            lines.append(
                "  index: \(index.path), generation \(index.generation), \(index.sources) sources,"
                    + " \(index.variants) variants"
            )
        }
        if let sandbox = report.sandbox, sandbox.landlock == nil || !sandbox.filtersCalls {
            lines.append("  workers were not held in whole: \(sandbox)")
        }
        if let transfers = report.transfersWithinOpenFiles {
            lines.append(
                "  connections: \(transfers) at once, for want of open files (ulimit -n)"
            )
        }
        if report.isInterrupted { lines.append("  interrupted: run again to go on") }
        if report.hasReachedDeadline { lines.append("  the deadline came before the end") }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension RunReport.Reason {
    /// How often, then its samples.
    var lines: [String] {
        ["  \(outcome.rawValue): \(count) \(code)"]
            + samples.map { sample in
                // A bad line has no URL.
                "    \(sample.manifest):\(sample.line): "
                    + (sample.url.isEmpty ? "" : "\(ShownURL.of(sample.url)): ")
                    + sample.message.withoutControls
            }
    }
}
