internal import Fetching
internal import Transfer

/// The pipeline that the state remembers, so that a cache directory can be looked after without the
/// file that made it.
extension Pipeline {
    /// The pipeline in full, without what may be a credential: nothing is fetched by it.
    var rememberedText: String {
        var pipeline = self
        for index in pipeline.origins.indices { pipeline.origins[index].headers = [:] }
        pipeline.fetching.transfer.proxy = nil
        return pipeline.effectiveText
    }

    /// Reads what `rememberedText` has written.
    init(effectiveText text: String, cache: String) throws(StateError) {
        let reader = PipelineReader(folder: "/")
        guard !text.isEmpty, let tree = try? JSONTree.parse(Array(text.utf8)) else {
            throw Self.unknown(cache)
        }
        self = reader.pipeline(from: tree, file: "\(cache)/state.sqlite")
        guard reader.problems.list.isEmpty else { throw Self.unknown(cache) }
    }

    private static func unknown(_ cache: String) -> StateError {
        StateError(
            path: cache,
            message: "no run of this version has published it yet; gearbox run once, then this"
        )
    }
}
