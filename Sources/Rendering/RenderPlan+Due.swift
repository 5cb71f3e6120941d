extension RenderPlan {
    /// The part of the plan that makes some of its variants, each with the same bytes as the whole
    /// plan would.
    ///
    /// - Parameter due: the keys of the variants.
    /// - Returns: the same decode; the rasters that those variants need, and their encodes alone.
    package func making(only due: Set<String>) -> RenderPlan {
        var plan = self
        plan.originals = originals.filter(due.contains)
        plan.failures = failures.filter { due.contains($0.key) }
        var isNeeded = rasters.map { raster in
            raster.encodes.contains { $0.variants.contains { due.contains($0.key) } }
        }
        // Parents come first, so that from the end each is known before its own parent is asked.
        for (index, raster) in rasters.enumerated().reversed() where isNeeded[index] {
            if let parent = raster.parent { isNeeded[parent] = true }
        }
        var places: [Int: Int] = [:]
        plan.rasters = []
        for (index, raster) in rasters.enumerated() where isNeeded[index] {
            places[index] = plan.rasters.count
            var raster = raster
            raster.parent = raster.parent.flatMap { places[$0] }
            raster.encodes = raster.encodes.compactMap { encode in
                var encode = encode
                encode.variants = encode.variants.filter { due.contains($0.key) }
                return encode.variants.isEmpty ? nil : encode
            }
            plan.rasters.append(raster)
        }
        return plan
    }
}
