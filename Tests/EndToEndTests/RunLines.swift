import Foundation
import TestSupport

/// An object of JSON, read by its fields.
struct JSONText {
    private let object: [String: Any]

    init(_ text: String) throws {
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        object = value as? [String: Any] ?? [:]
    }

    private init(_ object: [String: Any]) { self.object = object }

    func text(_ name: String) -> String? { object[name] as? String }
    func integer(_ name: String) -> Int? { (object[name] as? NSNumber)?.intValue }
    func number(_ name: String) -> Double? { (object[name] as? NSNumber)?.doubleValue }
    func texts(_ name: String) -> [String]? { object[name] as? [String] }
    func integers(_ name: String) -> [Int]? { object[name] as? [Int] }
    func inner(_ name: String) -> JSONText? {
        (object[name] as? [String: Any]).map { JSONText($0) }
    }
    func list(_ name: String) -> [JSONText]? {
        (object[name] as? [[String: Any]])?.map { JSONText($0) }
    }
    func isMissing(_ name: String) -> Bool { object[name] == nil }
    /// Whether the field is there and null.
    func isNull(_ name: String) -> Bool { object[name] is NSNull }
}

/// What `gearbox run --json -` says.
struct RunLines {
    struct Entry {
        var line: Int
        var url: String
        var outcome: String
        var reason: String?
        var message: String?
    }

    let status: Int32
    let errors: String
    private(set) var entries: [Entry] = []
    /// The numbers of the run's own line.
    private(set) var run: [String: Int] = [:]
    private var counts: [String: JSONText] = [:]

    /// What a stage counted under a name.
    func count(_ name: String, of stage: String) -> Int { counts[stage]?.integer(name) ?? 0 }

    /// Manifests that are older than this are known by their times; younger ones may still change.
    static let settling: Duration = .milliseconds(2_100)

    /// Runs the pipeline `night.json5` of a scratch folder.
    static func night(in scratch: Scratch, _ options: [String] = []) throws -> RunLines {
        try RunLines(
            Program.run(
                Program.gearbox,
                ["run", scratch.path + "/night.json5", "--quiet", "--json", "-"] + options
            )
        )
    }

    init(_ program: Program) throws {
        status = program.status
        errors = program.errors
        for line in program.lines {
            let json = try JSONText(line)
            if json.text("type") == "entry" {
                entries.append(
                    Entry(
                        line: json.integer("line") ?? 0,
                        url: json.text("url") ?? "",
                        outcome: json.text("outcome") ?? "",
                        reason: json.text("reason"),
                        message: json.text("message")
                    )
                )
            } else {
                for name in ["produced", "reused", "skipped", "failed", "variantsMade"] {
                    run[name] = json.integer(name)
                }
                for stage in json.list("stages") ?? [] {
                    counts[stage.text("stage") ?? ""] = stage.inner("counts")
                }
            }
        }
    }
}

/// What a cache directory looks like: enough to see that nothing was written.
struct Snapshot {
    /// Each file and folder of the store with its mode, size, inode, links and both times.
    let store: [String: String]
    /// The same of the originals.
    let originals: [String: String]
    let index: String?

    init(of cache: String) throws {
        store = try Self.identities(of: cache + "/store")
        originals = try Self.identities(of: cache + "/originals")
        index = try Self.identities(of: cache + "/index.sqlite")[""]
    }

    private static func identities(of path: String) throws -> [String: String] {
        let found = try Program.run(
            "/usr/bin/find",
            [path, "-printf", "%P\t%m %s %i %n %T@ %C@\n"]
        )
        let pairs = found.lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        return Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), String($0[1])) })
    }
}
