internal import Fetching
internal import GearboxURL
internal import Manifests
internal import Rendering
internal import Store
internal import System
internal import Transfer

extension Pipeline {
    /// The pipeline as a file would say it in full: JSON, every default filled in.
    package var effectiveText: String {
        let rules = self.rules
        let tree: OrderedTree = .object([
            ("name", .string(name)),
            ("manifests", .list(manifests.map(Self.tree))),
            ("cache", .string(cache)),
            ("defaultDialect", .string(rules.defaultDialect.rawValue)),
            ("defaultScheme", .string(rules.defaultScheme)),
            ("origins", .list(zip(origins, rules.origins).map(Self.originTree))),
            (
                "gears",
                .object([
                    ("sizes", .integers(rules.sizes.gears)),
                    ("overflow", .string(rules.sizes.overflow.rawValue)),
                    ("qualities", .integers(rules.qualities.gears)),
                    ("defaultQuality", .integer(rules.qualities.defaultQuality)),
                ])
            ),
            ("variants", variantsTree),
            ("limits", limitsTree),
            ("network", networkTree),
            ("aliases", .boolean(aliases)),
            (
                "originals",
                .object([
                    ("keep", .boolean(originals.areKept)),
                    ("maxBytes", .integer(originals.maxBytes)),
                ])
            ),
            (
                "budget",
                .object([
                    ("maxBytes", .integer(budget.maxBytes)),
                    ("maxAge", .integer(budget.maxAgeSeconds)),
                ])
            ),
            ("deadline", .integer(deadlineSeconds)),
            ("workers", .integer(workers)),
        ])
        return tree.text + "\n"
    }

    /// What the pipeline names and the disk does not have.
    package func missingFiles() -> [PipelineProblem] {
        var problems = certificateProblem.map { [$0] } ?? []
        for (index, manifest) in manifests.enumerated()
        where manifest.path != "-" && !Files.exists(manifest.path) {
            problems.append(
                PipelineProblem(
                    keyPath: "manifests[\(index)]",
                    message: "\(manifest.path) does not exist"
                )
            )
        }
        for (index, origin) in origins.enumerated() {
            for (position, source) in origin.sources.enumerated() {
                guard case .mirror(let directory) = source,
                    (try? FileStatus(of: directory))?.kind != .directory
                else { continue }
                problems.append(
                    PipelineProblem(
                        keyPath: "origins[\(index)].sources[\(position)].mirror",
                        message: "\(directory) is not a directory that can be read"
                    )
                )
            }
        }
        return problems
    }

    /// A file of certificates that is none would fail each transfer by itself.
    private var certificateProblem: PipelineProblem? {
        guard let path = fetching.transfer.caFile else { return nil }
        let problem: String
        do throws(SystemError) {
            let bytes = try FileReader.contents(of: path, limit: Self.largestCertificates)
            let text = String(decoding: bytes, as: UTF8.self)
            if Self.certificateMarks.contains(where: { text.contains($0) }) { return nil }
            problem = "\(path) holds no certificate: it has to be PEM, -----BEGIN CERTIFICATE-----"
        } catch {
            problem = "\(path): \(error.message)"
        }
        return PipelineProblem(keyPath: "network.caFile", message: problem)
    }

    private static let largestCertificates = 64 * 1_024 * 1_024
    private static let certificateMarks = [
        "-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----",
        "-----BEGIN X509 CERTIFICATE-----",
    ]

    private static func tree(_ manifest: Manifest) -> OrderedTree {
        let shape = manifest.shape
        var members: [(String, OrderedTree)] = [
            ("path", .string(manifest.path)), ("format", .string(shape.format.rawValue)),
        ]
        if shape.format.hasColumns { members.append(("column", .string(shape.column))) }
        if shape.format == .clf { members.append(("base", .string(shape.base))) }
        return .object(members)
    }

    private static func originTree(_ origin: Origin, _ rules: OriginRules) -> OrderedTree {
        let members: [(String, OrderedTree)] = [
            ("name", .string(origin.name)),
            ("hosts", .strings(rules.hosts)),
            ("dialect", .string(rules.dialect.rawValue)),
            ("render", .string(origin.rendering == .local ? "local" : "remote")),
            (
                "sources",
                .list(
                    origin.sources.map { source in
                        switch source {
                        case .mirror(let directory): .object([("mirror", .string(directory))])
                        case .http: .string("http")
                        }
                    }
                )
            ),
            (
                "parameters",
                .object([
                    ("drop", .strings(rules.drop)),
                    ("keep", .strings(rules.keep)),
                    ("unknown", .string(rules.unknown.rawValue)),
                ])
            ),
            // A header may be a credential: what a log shows is its name.
            ("headers", .object(origin.headers.keys.sorted().map { ($0, .string("...")) })),
        ]
        guard case .remote(let probes) = origin.rendering else { return .object(members) }
        return .object(members + [("probe", .boolean(probes))])
    }

    private var variantsTree: OrderedTree {
        .object([
            ("modes", Self.tree(variants.modes) { .string($0.rawValue) }),
            ("sizes", sizesTree),
            ("qualities", Self.tree(variants.qualities) { .integer($0) }),
            ("formats", Self.tree(variants.formats) { .string($0.rawValue) }),
            ("animation", .string(rendering.animation.rawValue)),
            ("background", .string(rendering.background.text)),
            (
                "effort",
                .object([
                    ("webp", .integer(rendering.effort.webp)),
                    ("avif", .integer(rendering.effort.avif)),
                ])
            ),
            ("steps", .list(rendering.steps.map(Self.tree))),
        ])
    }

    private var sizesTree: OrderedTree {
        switch variants.sizes {
        case .requested: .string("requested")
        case .ladder: .string("ladder")
        case .list(let sides): .integers(sides)
        }
    }

    private static func tree<Element>(
        _ selection: Selection<Element>,
        element: (Element) -> OrderedTree
    ) -> OrderedTree {
        switch selection {
        case .requested: .string("requested")
        case .list(let list): .list(list.map(element))
        }
    }

    private static func tree(_ step: Step) -> OrderedTree {
        if step.values.isEmpty { return .string(step.name) }
        let members = zip(step.kind.parameters, step.values).map { parameter, value in
            (parameter.name, OrderedTree.word(JSONTree.text(of: value)))
        }
        return .object([(step.name, .object(members))])
    }

    private var limitsTree: OrderedTree {
        let limits = rendering.limits
        return .object([
            ("bytes", .integer(limits.bytes)),
            ("pixels", .integer(limits.pixels)),
            ("frames", .integer(limits.frames)),
            ("seconds", .integer(limits.seconds.map { Int($0) })),
            ("memory", .integer(limits.memory)),
            ("truncated", .string(rendering.truncated.rawValue)),
            ("loaders", .strings(rendering.loaders.map(\.rawValue).sorted())),
        ])
    }

    private var networkTree: OrderedTree {
        let transfer = fetching.transfer
        return .object([
            ("connections", .integer(transfer.transfers)),
            ("connectionsPerHost", .integer(transfer.transfersPerHost)),
            ("bytesPerSecond", .integer(transfer.bytesPerSecond)),
            ("connectTimeout", .integer(Self.seconds(transfer.connectTimeout))),
            ("timeout", .integer(Self.seconds(transfer.timeout))),
            ("minimumBytesPerSecond", .integer(transfer.minimumBytesPerSecond)),
            ("attempts", .integer(fetching.retry.attempts)),
            ("retryPermanentAfter", .integer(Self.seconds(fetching.retry.permanentAfter))),
            ("redirects", .integer(transfer.redirects)),
            ("allowPrivateAddresses", .boolean(transfer.allowPrivateAddresses)),
            ("revalidate", revalidateTree),
            ("userAgent", .string(transfer.userAgent)),
            // A log may show where it is, and not with what name and password.
            ("proxy", .string(transfer.proxy.map(Self.withoutUser))),
            ("caFile", .string(transfer.caFile)),
            ("http2", .boolean(transfer.http2)),
        ])
    }

    private var revalidateTree: OrderedTree {
        switch fetching.revalidation {
        case .always: .string("always")
        case .cacheControl: .string("cache-control")
        case .age(let age): .integer(Self.seconds(age))
        }
    }

    private static func withoutUser(_ url: String) -> String {
        guard let start = url.firstRange(of: "//")?.upperBound, let at = url.lastIndex(of: "@"),
            start <= at
        else { return url }
        return url[..<start] + "..." + url[at...]
    }

    private static func seconds(_ duration: Duration) -> Int { Int(duration / .seconds(1)) }
}

extension RenderSettings.Colour {
    /// `#rrggbb`.
    fileprivate var text: String {
        "#"
            + [red, green, blue].map { byte in
                let digits = String(byte, radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }.joined()
    }
}
