package import GearboxURL

/// Today's ladders and the best ones for some traffic, side by side.
package struct LadderComparison {
    /// What one ladder comes to.
    package struct Side {
        package var gears: [Int]
        /// Pixels, or quality points.
        package var waste: Int
        /// The distinct variants with the other ladder as it is today.
        package var variants: VariantSample.Estimate
        /// The share of requests that an earlier one has made the file for, once there is a night's
        /// cache without limit; `nil` without requests.
        package var hitRate: Double?
    }

    package struct Pair {
        package var today: Side
        /// `nil` where nothing was asked for that a ladder could be chosen by.
        package var best: Side?
    }

    package let sizes: Pair
    package let qualities: Pair

    /// Compares.
    ///
    /// - Parameters:
    ///   - traffic: what was asked for.
    ///   - rules: today's ladders.
    ///   - sizeCount: gears of the best ladder of sizes; today's number if not given.
    ///   - qualityCount: gears of the best ladder of qualities; today's number if not given.
    package init(
        _ traffic: Traffic,
        rules: CanonicalRules,
        sizeCount: Int? = nil,
        qualityCount: Int? = nil
    ) {
        func side(_ gears: [Int], _ waste: Int, _ sizes: SizeLadder, _ qualities: QualityLadder)
            -> Side
        {
            var variants = traffic.variants(sizes: sizes, qualities: qualities)
            let requests = traffic.variantRequests
            // An estimate does not know this.
            variants.count = min(variants.count, requests)
            return Side(
                gears: gears,
                waste: waste,
                variants: variants,
                hitRate: requests > 0 ? 1 - Double(variants.count) / Double(requests) : nil
            )
        }
        func sizeSide(_ ladder: SizeLadder) -> Side {
            side(ladder.gears, traffic.sizes.waste(on: ladder), ladder, rules.qualities)
        }
        func qualitySide(_ ladder: QualityLadder) -> Side {
            side(ladder.gears, traffic.qualities.waste(on: ladder), rules.sizes, ladder)
        }
        sizes = Pair(
            today: sizeSide(rules.sizes),
            best: traffic.sizes.bestLadder(
                count: sizeCount ?? rules.sizes.gears.count,
                overflow: rules.sizes.overflow
            ).map(sizeSide)
        )
        qualities = Pair(
            today: qualitySide(rules.qualities),
            best: traffic.variantRequests > 0
                ? qualitySide(
                    traffic.qualities.bestLadder(
                        count: qualityCount ?? rules.qualities.gears.count,
                        defaultQuality: rules.qualities.defaultQuality
                    )
                ) : nil
        )
    }
}
