import Foundation
import GearboxURL

/// One line of fixtures/vectors: an input, its configuration, and what must come of it.
struct Vector {
    /// What must come of an input; what is absent is null.
    struct Fields: Equatable, Decodable {
        var error: String?
        var `class`: String?
        var canonical: String?
        var key: String?
        var origin: String?
        var source: String?
        var mode: String?
        var width: Int?
        var height: Int?
        var quality: Int?
        var format: String?
        var enlarge: Bool?
        var extra: String?
    }

    /// The file and the line.
    let name: String
    let input: String
    let rules: CanonicalRules
    let expected: Fields

    /// What this library makes of the input.
    var actual: Fields {
        do {
            return Fields(try Canonicalizer(rules: rules).request(for: input))
        } catch {
            return Fields(error: error.code.rawValue)
        }
    }

    /// The files of the contract, by name.
    static let files: [String] = {
        let contents = try? FileManager.default.contentsOfDirectory(atPath: directory.path)
        return (contents ?? []).filter { $0.hasSuffix(".jsonl") }.sorted()
    }()

    private static let directory = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("fixtures/vectors")

    static func all(in file: String) throws -> [Vector] {
        let text = try String(contentsOf: directory.appendingPathComponent(file), encoding: .utf8)
        return try text.split(separator: "\n").enumerated().map { index, line in
            let line = Data(line.utf8)
            let given = try JSONDecoder().decode(Given.self, from: line)
            return Vector(
                name: "\(file):\(index + 1)",
                input: given.input,
                rules: CanonicalRules(given.config ?? Config()),
                expected: try JSONDecoder().decode(Fields.self, from: line)
            )
        }
    }

    private struct Given: Decodable {
        var input: String
        var config: Config?
    }

    /// The members of a pipeline file that a line's `config` may have.
    fileprivate struct Config: Decodable {
        struct Gears: Decodable {
            var sizes: [Int]?
            var overflow: String?
            var qualities: [Int]?
            var defaultQuality: Int?
        }

        struct Origin: Decodable {
            struct Parameters: Decodable {
                var drop: [String]?
                var keep: [String]?
                var unknown: String?
            }

            var name: String
            var hosts: [String]
            var dialect: String?
            var parameters: Parameters?
        }

        var gears: Gears?
        var origins: [Origin]?
        var defaultDialect: String?
        var defaultScheme: String?
    }
}

extension Vector.Fields {
    fileprivate init(_ request: Request) {
        let directives = request.directives
        let size = directives?.mode == nil ? nil : directives?.box
        self.init(
            class: request.requestClass.rawValue,
            canonical: request.canonical,
            key: request.key,
            origin: request.origin,
            source: request.source,
            mode: directives?.mode?.rawValue,
            width: size?.width,
            height: size?.height,
            quality: directives?.quality,
            format: directives?.format?.rawValue,
            enlarge: directives?.enlarge,
            extra: directives?.extra
        )
    }
}

extension CanonicalRules {
    fileprivate init(_ config: Vector.Config) {
        self.init(
            sizes: SizeLadder(
                gears: config.gears?.sizes ?? SizeLadder.standard.gears,
                overflow: (config.gears?.overflow).flatMap(Overflow.init) ?? .step
            ),
            qualities: QualityLadder(
                gears: config.gears?.qualities ?? QualityLadder.standard.gears,
                defaultQuality: config.gears?.defaultQuality ?? 75
            ),
            origins: (config.origins ?? []).map(OriginRules.init),
            defaultDialect: config.defaultDialect.flatMap(DialectName.init) ?? .nos,
            defaultScheme: config.defaultScheme
        )
    }
}

extension OriginRules {
    fileprivate init(_ origin: Vector.Config.Origin) {
        self.init(
            name: origin.name,
            hosts: origin.hosts,
            dialect: origin.dialect.flatMap(DialectName.init) ?? .nos,
            drop: origin.parameters?.drop ?? [],
            keep: origin.parameters?.keep ?? [],
            unknown: (origin.parameters?.unknown).flatMap(UnknownParameters.init) ?? .keep
        )
    }
}
