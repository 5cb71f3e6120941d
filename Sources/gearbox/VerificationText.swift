internal import Prewarm

/// What a verification has found, for people and for scripts.
enum VerificationText {
    static func text(_ found: Verification) -> String {
        let seconds = (found.seconds * 10).rounded() / 10
        var lines = [
            "\(found.cache): \(found.files) files, \(ByteText.of(found.bytes)), read in \(seconds) s"
        ]
        for fault in Verification.Fault.allCases {
            guard let finding = found.findings[fault] else { continue }
            let published = finding.published > 0 ? ", \(finding.published) of them published" : ""
            lines.append("  \(fault.rawValue): \(finding.count)\(published)")
            lines += finding.samples.map { "    \($0.withoutControls)" }
            if finding.count > finding.samples.count {
                lines.append("    and \(finding.count - finding.samples.count) more")
            }
        }
        if found.isClean { lines.append("  nothing is wrong") }
        if let repair = found.repair, !found.isClean {
            lines.append(
                "  repaired: \(repair.dueVariants) variants are made again by the next run whose"
                    + " manifests name them"
            )
            lines.append(
                "  removed: \(repair.removedFiles) files, \(ByteText.of(repair.removedBytes))"
            )
            if let generation = repair.generation {
                lines.append("  published without them: generation \(generation)")
            }
        } else if !found.isClean {
            lines.append("  --repair removes what is damaged or needless, and has it made again")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    static func json(_ found: Verification) -> String {
        var json = JSONLine()
        json.field("cache", found.cache)
        json.field("files", found.files)
        json.field("bytes", found.bytes)
        json.field("seconds", seconds: found.seconds)
        let faults = Verification.Fault.allCases.compactMap { fault in
            found.findings[fault].map { finding in
                var json = JSONLine()
                json.field("fault", fault.rawValue)
                json.field("count", finding.count)
                json.field("published", finding.published)
                json.field("samples", texts: finding.samples)
                return json
            }
        }
        json.field("faults", list: faults)
        json.field(
            "repair",
            object: found.repair.map { repair in
                { json in
                    json.field("dueVariants", repair.dueVariants)
                    json.field("removedFiles", repair.removedFiles)
                    json.field("removedBytes", repair.removedBytes)
                    json.field("generation", repair.generation)
                }
            }
        )
        return String(decoding: json.endedLine(), as: UTF8.self)
    }
}
