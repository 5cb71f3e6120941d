internal import GearboxDatabase
internal import GearboxURL

/// The rows of an open index, looked up by statements that are kept.
///
/// Reads the packed tables: the views of the same rows would compute what most answers do not need.
final class IndexRows {
    /// A source and what the keys of its variants begin with.
    struct Source {
        var record: SourceRecord
        var stem: String
    }

    // Statements outlive no connection.
    private let database: Database
    private let byKey: Statement
    private let byAlias: Statement
    private let sourceByPath: Statement
    private let bySource: Statement
    private let fileByIdentifier: Statement
    private let formByIdentifier: Statement
    private let originByName: Statement
    /// The forms that are known already, by identifier: few have all variants of a common index, and
    /// what is beyond them is read again each time.
    private var forms = [PackedForm?](repeating: nil, count: 4_096)

    init(_ database: Database) throws(DatabaseError) {
        self.database = database
        byKey = try database.statement(Self.selectByKey)
        byAlias = try database.statement(Self.selectByAlias)
        sourceByPath = try database.statement(SourceRecord.byPath)
        bySource = try database.statement(Self.selectBySource)
        fileByIdentifier = try database.statement(Self.selectFile)
        formByIdentifier = try database.statement(PackedForm.byIdentifier)
        originByName = try database.statement("SELECT id FROM origin WHERE name = ?1")
    }

    func origin(named name: String) throws(DatabaseError) -> Int? {
        defer { originByName.reset() }
        try originByName.bind(name, at: 1)
        return try originByName.step() ? originByName.integer(0) : nil
    }

    /// The variant of a key.
    func variant(origin: Int, key: String) throws(DatabaseError) -> VariantRecord? {
        try variant(byKey, origin, key)
    }

    /// The variant that an alias names.
    func variant(origin: Int, alias: String) throws(DatabaseError) -> VariantRecord? {
        try variant(byAlias, origin, alias)
    }

    private func variant(
        _ statement: Statement,
        _ origin: Int,
        _ key: String
    ) throws(DatabaseError) -> VariantRecord? {
        defer { statement.reset() }
        try statement.bind(origin, at: 1)
        try statement.bind(key, at: 2)
        guard try statement.step() else { return nil }
        var variant = try form(statement.integer(0)).variant(
            stem: statement.text(4),
            size: Self.size(statement, 1)
        )
        variant.file = Self.file(statement, 3, format: variant.format)
        return variant
    }

    func source(origin: Int, path: String) throws(DatabaseError) -> Source? {
        defer { sourceByPath.reset() }
        try sourceByPath.bind(origin, at: 1)
        try sourceByPath.bind(path, at: 2)
        guard try sourceByPath.step() else { return nil }
        return Source(
            record: SourceRecord(row: sourceByPath),
            stem: String(path.unicodeScalars.prefix(sourceByPath.integer(7)))
        )
    }

    /// The variants of a source without their files, and the identifiers to have these by.
    func variants(
        of source: Source
    ) throws(DatabaseError) -> (records: [VariantRecord], identifiers: [Int]) {
        defer { bySource.reset() }
        try bySource.bind(source.record.id, at: 1)
        var records: [VariantRecord] = []
        var identifiers: [Int] = []
        records.reserveCapacity(16)
        identifiers.reserveCapacity(16)
        while try bySource.step() {
            records.append(
                try form(bySource.integer(0)).variant(
                    stem: source.stem,
                    size: Self.size(bySource, 1)
                )
            )
            identifiers.append(bySource.integer(3))
        }
        return (records, identifiers)
    }

    func file(ofVariant identifier: Int, format: String) throws(DatabaseError) -> String {
        defer { fileByIdentifier.reset() }
        try fileByIdentifier.bind(identifier, at: 1)
        return try fileByIdentifier.step() ? Self.file(fileByIdentifier, 0, format: format) : ""
    }

    private func form(_ identifier: Int) throws(DatabaseError) -> PackedForm {
        let isKept = forms.indices.contains(identifier)
        if isKept, let form = forms[identifier] { return form }
        defer { formByIdentifier.reset() }
        try formByIdentifier.bind(identifier, at: 1)
        // A row that is not there reads as empty.
        _ = try formByIdentifier.step()
        let form = PackedForm(row: formByIdentifier)
        if isKept { forms[identifier] = form }
        return form
    }

    private static func size(_ row: Statement, _ column: Int) -> Size? {
        Size(width: row.integer(column), height: row.integer(column + 1)).ifReal
    }

    private static func file(_ row: Statement, _ column: Int, format: String) -> String {
        row.blob(column).map { PackedFile.name($0, format: format) } ?? row.text(column)
    }

    private static let columns = """
        v.form_id, v.width, v.height, v.file, substr(s.path, 1, s.stem)
        """

    private static let selectByKey = """
        SELECT \(columns) FROM packed_key AS k JOIN packed_variant AS v ON v.id = k.variant_id
        LEFT JOIN packed_source AS s ON s.id = v.source_id WHERE k.origin_id = ?1 AND k.key = ?2
        """
    private static let selectByAlias = """
        SELECT \(columns) FROM alias AS a JOIN packed_variant AS v ON v.id = a.variant_id
        LEFT JOIN packed_source AS s ON s.id = v.source_id WHERE a.origin_id = ?1 AND a.key = ?2
        """
    private static let selectBySource = """
        SELECT form_id, width, height, id FROM packed_variant WHERE source_id = ?1
        """
    private static let selectFile = "SELECT file FROM packed_variant WHERE id = ?1"
}
