import Fetching
import Foundation
import GearboxURL
import Manifests
import Prewarm
import Rendering
import TestSupport
import Testing
import Transfer

@Suite("A pipeline file")
struct PipelineTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func read(_ text: String) throws(PipelineError) -> Pipeline {
        try? scratch.write(text, to: "p/night.json5")
        return try Pipeline.read(scratch.path + "/p/night.json5")
    }

    private func problems(_ text: String) -> [String] {
        do throws(PipelineError) {
            _ = try read(text)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test("needs nothing but manifests; paths start from the file's folder")
    func defaults() throws {
        let pipeline = try read("{ manifests: ['../a.txt', '/b.txt', '-'], cache: 'c/./d/..' }")
        #expect(pipeline.name == "night")
        let root = scratch.path
        #expect(pipeline.manifests.map(\.path) == [root + "/a.txt", "/b.txt", "-"])
        #expect(pipeline.cache == root + "/p/c")
        #expect(pipeline.rules == CanonicalRules())
        #expect(pipeline.variants.modes == .list([.x, .y, .z]))
        #expect(pipeline.rendering.limits.bytes == 67_108_864)
    }

    @Test("has manifests of every format, told by their names or given")
    func manifests() throws {
        let pipeline = try read(
            """
            { manifests: ['a.csv.gz', { path: 'b', format: 'jsonl', column: 'src' }, { path: 'c.tsv' },
              { path: 'access.log', base: 'https://h/' }, { path: '-', format: 'csv' }] }
            """
        )
        let shapes = pipeline.manifests.map(\.shape)
        #expect(shapes.map(\.format) == [.csv, .jsonl, .tsv, .clf, .csv])
        #expect(shapes.map(\.column) == ["url", "src", "url", "url", "url"])
        #expect(shapes[3].base == "https://h")
        #expect(try read(pipeline.effectiveText).manifests == pipeline.manifests)
    }

    @Test("says what is wrong with a manifest")
    func wrongManifests() {
        let found = problems(
            """
            { manifests: ['-', { path: '-' }, { format: 'csv' }, { path: 'a', format: 'xml' },
              { path: 'a.txt', column: 'b' }, { path: 'a.csv', base: 'http://h' },
              { path: 'a.log', base: 'h' }, { path: 'a.csv', colunm: 'b' }, 5] }
            """
        )
        let paths = found.map { String($0.prefix { $0 != ":" }) }
        #expect(
            Set(paths) == [
                "manifests", "manifests[2].path", "manifests[3].format", "manifests[4].column",
                "manifests[5].base", "manifests[6].base", "manifests[7].colunm", "manifests[8]",
                "manifests[8].path",
            ],
            "\(found)"
        )
        #expect(found.contains { $0.contains("did you mean \"column\"") })
    }

    @Test("is read with comments, trailing commas and bare keys")
    func json5() throws {
        let pipeline = try read("// a\n{ manifests: [], /* b */ aliases: false, }")
        #expect(!pipeline.aliases)
    }

    @Test("reports every problem at once, each with its key path")
    func allProblems() {
        let found = problems(
            """
            { manifests: 'a.txt', cach: 'x', gears: { sizes: [60, 30], qualities: [39] },
              origins: [{ name: 'a', hosts: ['h'] }, { name: 'a', hosts: ['h'], render: 'cloud' }],
              variants: { modes: ['w'], background: 'red' }, limits: { bytes: 'many' },
              network: { connections: 0, redirects: 1.5 }, workers: 'all' }
            """
        )
        let paths = found.map { $0.prefix { $0 != ":" } }
        #expect(
            paths.sorted() == [
                "cach", "gears.qualities", "gears.sizes", "limits.bytes", "manifests",
                "network.connections", "network.redirects", "origins[1].hosts[0]",
                "origins[1].name",
                "origins[1].render", "variants.background", "variants.modes[0]", "workers",
            ],
            "\(found)"
        )
        #expect(found.contains("cach: unknown key; did you mean \"cache\"?"))
    }

    @Test(
        "refuses ladders that cannot be, each value by itself",
        arguments: [
            ("sizes: [0, 30]", ["gears.sizes[0]: 0 is not a whole number from 1 to 4096"]),
            ("sizes: [30, 4097]", ["gears.sizes[1]: 4097 is not a whole number from 1 to 4096"]),
            ("sizes: [-1, 1e300, 2.5, null, '30']", nil),
            ("sizes: []", ["gears.sizes: is empty: a ladder has at least one gear"]),
            ("sizes: [30, 30]", ["gears.sizes: 30 after 30: gears go up"]),
            ("sizes: 30", ["gears.sizes: 30 is not a list"]),
            ("qualities: [0, 100]", ["gears.qualities[0]: 0 is not a whole number from 1 to 100"]),
            ("qualities: [101]", nil),
            ("qualities: [89]", ["gears.qualities: ends at 89: the last gear is 100"]),
            ("defaultQuality: 0", ["gears.defaultQuality: 0 is not a whole number from 1 to 100"]),
            ("defaultQuality: 1e99", nil), ("overflow: 'wrap'", nil),
        ] as [(String, [String]?)]
    )
    func ladders(gears: String, expected: [String]?) {
        let found = problems("{ manifests: [], gears: { \(gears) } }")
        #expect(!found.isEmpty && found.allSatisfy { $0.hasPrefix("gears.") }, "\(found)")
        if let expected { #expect(found == expected) }
    }

    @Test("refuses origins that a host could be taken for, and hosts that no URL has")
    func originNames() {
        func found(_ origins: String) -> [String] {
            problems("{ manifests: [], origins: [\(origins)] }")
        }
        #expect(found("{ name: 'a.example', hosts: ['a.example', 'b.example'] }") == [])
        #expect(found("{ name: 'music', hosts: ['p1.example:8080', '[::1]'] }") == [])
        #expect(
            found("{ name: 'b.example', hosts: ['a.example'] }") == [
                "origins[0].name: \"b.example\" is a host that no origin lists: list it in hosts, or "
                    + "choose a name that is no host"
            ]
        )
        #expect(
            found("{ name: 'One', hosts: ['two'] }, { name: 'Two', hosts: ['three'] }") == [
                "origins[1].name: \"Two\" is a host of origin One"
            ]
        )
        #expect(
            found("{ name: '//a', hosts: ['a'] }") == [
                "origins[0].name: \"//a\" holds a /, which no origin's name does"
            ]
        )
        for (host, fault) in [
            ("a/b", "is not a host name"), ("u@h", "is not a host name"),
            ("", "is not a host name"),
            ("h:99999", "is not a host name"), ("b\u{FC}cher", "is not a host name"),
            ("h#x", "is not a host name"), ("H:80", "is \"h\" in URLs"),
        ] {
            let expected = "origins[0].hosts[0]: \"\(host.lowercased())\" \(fault)"
            #expect(found("{ name: 'n', hosts: ['\(host)'] }") == [expected])
        }
    }

    @Test("has an origin render only where that can be done, and probes only there")
    func remote() throws {
        func file(_ origin: String, _ more: String = "") -> String {
            "{ manifests: [], \(more) origins: [{ name: 'a', hosts: ['h'], \(origin) }] }"
        }
        for (origin, rendering) in [
            ("", Pipeline.Origin.Rendering.local), ("render: 'local'", .local),
            ("render: 'remote'", .remote(probes: false)),
            ("render: 'remote', sources: ['http'], probe: true", .remote(probes: true)),
        ] {
            let pipeline = try read(file(origin))
            #expect(pipeline.origins[0].rendering == rendering)
            // What check prints is a pipeline that says the same.
            #expect(try read(pipeline.effectiveText).origins == pipeline.origins)
        }
        let steps = "variants: { steps: ['grayscale'] },"
        #expect(problems(file("render: 'local'", steps)) == [])
        for (text, keyPath) in [
            (file("render: 'cloud'"), "origins[0].render"),
            (file("probe: true"), "origins[0].probe"),
            (file("render: 'local', probe: false"), "origins[0].probe"),
            (file("render: 'remote', probe: 1"), "origins[0].probe"),
            (file("render: 'remote', dialect: 'none'"), "origins[0].render"),
            (file("render: 'remote', sources: [{ mirror: 'm' }, 'http']"), "origins[0].sources"),
            (file("render: 'remote'", steps), "variants.steps"),
        ] {
            #expect(problems(text).map { $0.prefix { $0 != ":" } } == [keyPath[...]])
        }
    }

    @Test("takes headers' secrets from the environment, and never shows them")
    func headers() throws {
        func origin(_ headers: String) -> String {
            "{ manifests: [], origins: [{ name: 'a', hosts: ['h'], headers: { \(headers) } }] }"
        }
        let path = try #require(ProcessInfo.processInfo.environment["PATH"])
        let text = origin("A: 'Bearer ${env:PATH}', b: 'plain', c: '${env:PATH}+${env:PATH}'")
        let pipeline = try read(text)
        let expected = ["A": "Bearer \(path)", "b": "plain", "c": "\(path)+\(path)"]
        #expect(pipeline.origins[0].headers == expected)
        #expect(!pipeline.effectiveText.contains(path))

        let missing = problems(
            origin("A: '${env:PATH}${env:GEARBOX_NO_SUCH}', b: '${env:', c: '${PATH}'")
        )
        let usage = "only ${env:NAME} may stand behind a $, a variable's name"
        #expect(
            missing.sorted() == [
                "origins[0].headers.A: the environment has no variable GEARBOX_NO_SUCH",
                "origins[0].headers.b: \(usage)", "origins[0].headers.c: \(usage)",
            ]
        )
    }

    @Test(
        "refuses headers that are none, are another's or would begin another one",
        arguments: [
            ("headers: { 'a b': 'x' }", "origins[0].headers.a b: is no header's name"),
            ("headers: { '': 'x' }", "origins[0].headers.: is no header's name"),
            ("headers: { A: 'x', a: 'y' }", "origins[0].headers.a: is the same header as A"),
            ("headers: { HOST: 'x' }", "origins[0].headers.HOST: is set by Gearbox itself"),
            ("headers: { 'If-Range': 'x' }", "origins[0].headers.If-Range: is set by Gearbox"),
            ("headers: { a: 'x\\r\\nb: c' }", "origins[0].headers.a: a header holds no line ends"),
            ("headers: { a: '${env:}' }", "origins[0].headers.a: ${env:} names no variable"),
        ]
    )
    func wrongHeaders(headers: String, problem: String) {
        let found = problems(
            "{ manifests: [], origins: [{ name: 'a', hosts: ['h'], \(headers) }] }"
        )
        #expect(found.count == 1 && found[0].hasPrefix(problem), "\(found)")
    }

    @Test("takes a proxy's secrets from the environment, and shows where it is, not its password")
    func proxy() throws {
        let home = try #require(ProcessInfo.processInfo.environment["HOME"])
        func network(_ text: String) -> String { "{ manifests: [], network: { \(text) } }" }
        for (text, shown) in [
            ("http://proxy:3128", "http://proxy:3128"),
            ("HTTPS://ann:s3cret@proxy", "HTTPS://...@proxy"),
            ("socks5://ann:s3@cret@[::1]:1080", "socks5://...@[::1]:1080"),
        ] {
            let pipeline = try read(network("proxy: '\(text)'"))
            #expect(pipeline.fetching.transfer.proxy == text)
            #expect(pipeline.effectiveText.contains("\"proxy\": \"\(shown)\""))
        }
        let named = try read(network("proxy: 'http://${env:HOME}@proxy'"))
        #expect(named.fetching.transfer.proxy == "http://\(home)@proxy")
        for text in [
            "proxy:3128", "ftp://s3cret@proxy", "http://", "http://:3128", "http://s3cret@",
        ] {
            let found = problems(network("proxy: '\(text)'"))
            #expect(found.count == 1 && found[0].hasPrefix("network.proxy: is no URL of a proxy"))
            #expect(found.allSatisfy { !$0.contains("s3cret") })
        }
        #expect(try read(network("proxy: null")).fetching.transfer.proxy == nil)
        let agent = problems(network("userAgent: 'a\\r\\nX-Evil: 1'"))
        #expect(agent == ["network.userAgent: a header holds no line ends or control characters"])
    }

    @Test("takes times and speeds as people write them, everywhere")
    func networkQuantities() throws {
        let text = "connectTimeout: '2s', timeout: '5m', minimumBytesPerSecond: '2KB'"
        let transfer = try read("{ manifests: [], network: { \(text) } }").fetching.transfer
        #expect(transfer.connectTimeout == .seconds(2) && transfer.timeout == .seconds(300))
        #expect(transfer.minimumBytesPerSecond == 2_000)
        let none = try read("{ manifests: [], network: { minimumBytesPerSecond: 0 } }")
        #expect(none.fetching.transfer.minimumBytesPerSecond == 0)
        for text in ["connectTimeout: '2h'", "timeout: 0", "minimumBytesPerSecond: '5GiB'"] {
            let key = text.prefix { $0 != ":" }
            let found = problems("{ manifests: [], network: { \(text) } }")
            #expect(found.count == 1 && found[0].hasPrefix("network.\(key): "), "\(found)")
        }
    }

    @Test("names a file of certificates that is none")
    func certificates() throws {
        let text = "{ manifests: [], network: { caFile: 'ca.pem' } }"
        let path = scratch.path + "/p/ca.pem"
        func found() throws -> [String] { try read(text).missingFiles().map(\.description) }
        #expect(try found().count == 1)
        #expect(try found()[0].hasPrefix("network.caFile: \(path): "))
        try scratch.write("no certificate", to: "p/ca.pem")
        #expect(try found().count == 1)
        #expect(try found()[0].hasPrefix("network.caFile: \(path) holds no certificate"))
        try scratch.write("# mine\n-----BEGIN CERTIFICATE-----\n", to: "p/ca.pem")
        #expect(try found() == [])
    }

    @Test("refuses what this version would silently not do")
    func notImplemented() {
        let found = problems("{ manifests: [], network: { revalidate: 'sometimes' } }")
        #expect(found.count == 1 && found[0].contains("not "), "\(found)")
    }

    @Test("reads budgets, and prints them")
    func budgets() throws {
        let pipeline = try read(
            """
            { manifests: [], budget: { maxBytes: '20GiB', maxAge: '30d' },
              originals: { maxBytes: '1GiB' } }
            """
        )
        #expect(pipeline.budget == EvictionBudget(maxBytes: 20 << 30, maxAgeSeconds: 30 * 86_400))
        #expect(pipeline.originals.maxBytes == 1 << 30 && pipeline.originals.areKept)
        #expect(try read(pipeline.effectiveText).budget == pipeline.budget)

        let standard = try read("{ manifests: [] }")
        #expect(standard.budget == EvictionBudget())
        #expect(standard.originals.maxBytes == 10 << 30)
        #expect(
            try read("{ manifests: [], originals: { maxBytes: null } }").originals.maxBytes == nil
        )
        #expect(problems("{ manifests: [], budget: { maxAge: 'long' } }").count == 1)
    }

    @Test("refuses a limit of memory that no worker could keep")
    func memory() {
        let found = problems("{ manifests: [], limits: { memory: '95MiB' } }")
        #expect(found.count == 1 && found[0].hasPrefix("limits.memory: "), "\(found)")
        #expect(problems("{ manifests: [], limits: { memory: '96MiB' } }") == [])
    }

    @Test("accepts the design's defaults written out")
    func writtenOut() {
        #expect(
            problems(
                """
                { manifests: [], defaultDialect: 'nos', limits: { memory: '1GiB', truncated: 'reject' },
                  network: { revalidate: 'always', bytesPerSecond: null }, variants: { steps: [] },
                  originals: { keep: true, maxBytes: '10GiB' }, budget: { maxBytes: null, maxAge: null },
                  deadline: null, workers: null }
                """
            ) == []
        )
    }

    @Test("refuses sizes and qualities that no canonical URL asks for")
    func notGears() {
        let found = problems(
            "{ manifests: [], variants: { sizes: [100, 120, 1280], qualities: [80, 89] } }"
        )
        #expect(
            found == [
                "variants.sizes[0]: 100 is not a gear: canonical URLs ask for 120",
                "variants.qualities[0]: 80 is not a gear: canonical URLs ask for 89",
            ]
        )
    }

    @Test("reads sizes and times as people write them")
    func quantities() {
        let bytes: [(JSONTree, Int?)] = [
            (.number(500), 500), (.string("64MiB"), 67_108_864), (.string("1.5 kB"), 1_500),
            (.string("2GB"), 2_000_000_000), (.string("10"), 10), (.string("MiB"), nil),
            (.string("-1"), nil), (.boolean(true), nil), (.number(0), nil),
        ]
        for (tree, expected) in bytes { #expect(Quantity.bytes(tree) == expected, "\(tree)") }
        let seconds: [(JSONTree, Int?)] = [
            (.number(90), 90), (.string("30m"), 1_800), (.string("5h"), 18_000),
            (.string("7d"), 604_800), (.string("1 w"), 604_800), (.string("soon"), nil),
        ]
        for (tree, expected) in seconds { #expect(Quantity.seconds(tree) == expected, "\(tree)") }
    }

    @Test(
        "says where its syntax is wrong",
        arguments: [
            ("{ manifests: [],\n  name: }", "line 2, column 9"),
            ("{ manifests: [", "line 1, column 15"),
            ("{ manifests: []\n  name: 'a' }", "line 2, column 3"),
            ("", "line 1, column 1"),
            ("{ manifests: ['a\n'] }", "line 1, column 17"),
        ]
    )
    func syntax(text: String, place: String) {
        let found = problems(text)
        #expect(found.count == 1 && found[0].contains(place), "\(found)")
    }

    @Test("is printed as a pipeline that reads as the same one")
    func effective() throws {
        let pipeline = try read(
            """
            { manifests: ['a.txt'], origins: [{ name: 'm', hosts: ['h1', 'h2:8080'],
              sources: [{ mirror: 'm' }, 'http'], parameters: { drop: ['utm_*'] } }],
              variants: { sizes: 'ladder', formats: ['webp'], background: '#102030' },
              deadline: '5h', workers: 3, network: { caFile: 'ca.pem' } }
            """
        )
        #expect(try read(pipeline.effectiveText).effectiveText == pipeline.effectiveText)
        #expect(pipeline.effectiveText.contains("\"background\": \"#102030\""))
    }
}
