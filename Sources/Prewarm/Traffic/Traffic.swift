package import GearboxURL
internal import Manifests

/// What manifests ask for, in counts: no entry is held, so ten million of them take the memory of
/// one.
package struct Traffic {
    /// More requests than these are not counted, so that no sum of pixels can overflow.
    private static let mostRequests = 1 << 38

    private let canonicalizer: Canonicalizer
    /// The entries of the manifests; each stands for as many requests as it has hits.
    package private(set) var entries = 0
    /// Lines of access logs that ask for no image.
    package private(set) var skipped = 0
    /// Requests of variants, with or without a size: what gears make of them is what is compared.
    package private(set) var variantRequests = 0
    /// Requests of the original's own bytes.
    package private(set) var plainRequests = 0
    /// Requests that are opaque or signed.
    package private(set) var verbatimRequests = 0
    package private(set) var sizes = SizeTraffic()
    package private(set) var qualities = QualityTraffic()
    private var sample = VariantSample()

    package init(rules: CanonicalRules) { canonicalizer = Canonicalizer(rules: rules) }

    package var requests: Int { variantRequests + plainRequests + verbatimRequests }
    /// How many sources the distinct variants are told from.
    package var sampledSources: Int { sample.sources }

    /// The distinct variants that are asked for under a pair of ladders.
    package func variants(
        sizes: SizeLadder,
        qualities: QualityLadder
    ) -> VariantSample.Estimate {
        sample.variants(sizes: sizes, qualities: qualities)
    }

    /// Reads a manifest.
    ///
    /// - Parameters:
    ///   - manifest: its file and how it is written.
    ///   - badLine: is told the number of each line that is no entry or has no canonical form, and
    ///     why.
    /// - Throws: `ManifestError` where it cannot be read.
    package mutating func read(
        _ manifest: Pipeline.Manifest,
        badLine: (Int, String) -> Void
    ) throws {
        var file = try ManifestFile(manifest)
        while try file.read({ add($0, badLine) }) {}
    }

    private mutating func add(_ item: ManifestItem, _ badLine: (Int, String) -> Void) {
        switch item {
        case .skipped: skipped += 1
        case .bad(let line, let reason):
            badLine(line, reason)
        case .entry(let entry):
            entries += 1
            do throws(RequestError) {
                add(try canonicalizer.request(for: entry.url), hits: entry.hits)
            } catch {
                badLine(entry.line, error.message)
            }
        }
    }

    /// Counts so many requests of one URL.
    package mutating func add(_ request: Request, hits: Int) {
        let hits = min(hits, Self.mostRequests - requests)
        guard hits > 0 else { return }
        guard request.requestClass == .simple else { return verbatimRequests += hits }
        guard let asked = request.requested, let source = request.source else {
            return plainRequests += hits
        }
        variantRequests += hits
        if asked.mode != nil { sizes.add(asked.box, hits: hits) }
        qualities.add(asked.quality, hits: hits)
        sample.add(asked, of: source, at: request.origin)
    }
}
