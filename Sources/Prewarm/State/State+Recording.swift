internal import GearboxDatabase
internal import GearboxURL

extension StateDatabase {
    /// Writes all that an outcome says; called within a transaction, so that the variants of a new
    /// version appear together.
    func record(_ outcome: SourceOutcome, run: Int) throws {
        let source = outcome.source
        if let original = outcome.original { try setOriginal(original, ofSource: source) }
        if let isStale = outcome.isStale { try setStale(isStale, ofSource: source) }
        if let rendering = outcome.rendering {
            try setRendering(rendering, ofSource: source, run: run)
        }
        try setFailure(outcome.failure, ofSource: source, run: run)
        try setTurn(outcome.isOwed ? -outcome.asked : outcome.asked, ofSource: source)
    }

    private func setRendering(
        _ rendering: SourceOutcome.Rendering,
        ofSource source: Int,
        run: Int
    ) throws {
        try database.statement(Self.updateRendering).run(
            .text(rendering.version),
            .text(rendering.format),
            .integer(rendering.bytes),
            .integer(rendering.size.width),
            .integer(rendering.size.height),
            .flag(rendering.animated),
            .flag(rendering.alpha),
            .text(rendering.set),
            .integer(source)
        )
        for made in rendering.made {
            try setMade(made, version: rendering.version, run: run)
        }
        for failed in rendering.failed {
            try setFailure(failed.code, failed.message, ofVariant: failed.id, run: run)
        }
        try noteChange()
    }

    private static let updateRendering = """
        UPDATE source SET rendered_version = ?1, rendered_format = ?2, rendered_bytes = ?3,
            width = ?4, height = ?5, animated = ?6, alpha = ?7, rendered_set = ?8 WHERE id = ?9
        """
}
