internal import Prewarm

/// What a removal came to, for people and for scripts.
enum RemovalText {
    static func text(_ report: Removal.Report) -> String {
        var lines = report.removed.map { removed in
            "removed \(ShownURL.of(removed.url)): \(removed.variants) variants,"
                + " \(removed.aliases) aliases"
        }
        lines.append(
            "\(report.files) files are gone"
                + (report.sharedFiles > 0
                    ? "; \(report.sharedFiles) stay, as other sources have the same bytes" : "")
        )
        if let generation = report.generation {
            lines.append("published: generation \(generation)")
        }
        let wanted = report.removed.count { $0.isWanted }
        if wanted > 0 {
            lines.append(
                "the last manifests name \(wanted) of them: a run whose manifest still does makes"
                    + " them again"
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }

    static func json(_ report: Removal.Report) -> String {
        var bytes: [UInt8] = []
        for removed in report.removed {
            var json = JSONLine()
            json.field("type", "removed")
            json.field("url", removed.url)
            json.field("key", removed.key)
            json.field("variants", removed.variants)
            json.field("aliases", removed.aliases)
            json.field("inManifests", removed.isWanted)
            bytes += json.endedLine()
        }
        for refused in report.refused {
            var json = JSONLine()
            json.field("type", "refused")
            json.field("url", ShownURL.withoutUser(refused.url))
            json.field("message", refused.message)
            bytes += json.endedLine()
        }
        var json = JSONLine()
        json.field("type", "removal")
        json.field("files", report.files)
        json.field("sharedFiles", report.sharedFiles)
        json.field("generation", report.generation)
        bytes += json.endedLine()
        return String(decoding: bytes, as: UTF8.self)
    }
}
