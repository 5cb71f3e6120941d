internal import Prewarm

/// What an eviction came to, for people and for scripts.
enum EvictionText {
    static func text(_ report: EvictionReport, isDry: Bool) -> String {
        var lines = [
            "\(isDry ? "would evict" : "evicted") \(report.sources) sources,"
                + " \(report.variants) variants: \(ByteText.of(report.bytesBefore))"
                + " \(isDry ? "would become" : "became") \(ByteText.of(report.bytesAfter))"
        ]
        if report.originals > 0 {
            lines.append(
                "  originals: \(report.originals), \(ByteText.of(report.originalBytes)) of"
                    + " \(ByteText.of(report.originalBytesBefore))"
            )
        }
        if report.originalsForRoom > 0 {
            lines.append(
                "  \(report.originalsForRoom) of the originals went to have room to work, as the disk"
                    + " is full"
            )
        }
        if report.wantedSources > 0 {
            lines.append(
                "  \(report.wantedSources) of the sources are in the last manifests: a run makes"
                    + " them again"
            )
        }
        if !isDry {
            lines.append(
                "  removed: \(report.removedFiles) files, \(ByteText.of(report.removedBytes))"
            )
        }
        if report.waitingFiles > 0 {
            lines.append(
                "  \(report.waitingFiles) files go when the next index is published, as readers may"
                    + " have the last one open; --force removes them now"
            )
        }
        if let generation = report.generation {
            lines.append("  published: generation \(generation)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    static func json(_ report: EvictionReport, isDry: Bool) -> String {
        var json = JSONLine()
        json.field("dryRun", isDry)
        json.field("bytesBefore", report.bytesBefore)
        json.field("bytesAfter", report.bytesAfter)
        json.field("sources", report.sources)
        json.field("variants", report.variants)
        json.field("wantedSources", report.wantedSources)
        json.field("originals", report.originals)
        json.field("originalBytes", report.originalBytes)
        json.field("originalsForRoom", report.originalsForRoom)
        json.field("removedFiles", report.removedFiles)
        json.field("removedBytes", report.removedBytes)
        json.field("waitingFiles", report.waitingFiles)
        json.field("generation", report.generation)
        return String(decoding: json.endedLine(), as: UTF8.self)
    }
}
