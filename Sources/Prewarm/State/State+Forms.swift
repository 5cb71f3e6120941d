internal import GearboxDatabase
internal import GearboxURL

/// What many variants have alike: their directives and the endings of their keys.
extension StateDatabase {
    /// The row of a form, made where it is new.
    func formID(_ ending: KeyEnding, _ directives: Directives?) throws -> Int {
        let hash = ending.nameHash
        let found = try database.all(Self.formsOfName, .integer(hash)) { row in
            (row.integer(0), Form(row: row))
        }
        for (id, form) in found where form.ending == ending && form.directives == directives {
            return id
        }
        let what = directives ?? Directives(quality: 100)
        try database.run(
            Self.insertForm,
            .integer(hash),
            .integer(ending.lead.rawValue),
            .text(ending.text),
            .flag(directives == nil),
            .text(what.mode?.rawValue ?? ""),
            .integer(what.box.width),
            .integer(what.box.height),
            .integer(what.quality),
            .text(what.format?.rawValue),
            .flag(what.enlarge),
            .integer(what.axis.horizontal),
            .integer(what.axis.vertical),
            .flag(what.interlace),
            .flag(what.keepsAnimation),
            .text(what.extra)
        )
        return database.lastInsertedRow
    }

    /// The directives of a form; `nil` for a source's own bytes.
    func directives(ofForm id: Int) throws -> Directives? {
        let form = try database.first(Self.formOfID, .integer(id), read: Form.init(row:))
        guard let form else { throw StateDamage(message: "a row names a form that is not there") }
        return form.directives
    }

    /// The row of the ending of a raw key, made where it is new.
    func aliasFormID(_ ending: KeyEnding) throws -> Int {
        let hash = ending.nameHash
        let found = try database.all(Self.aliasFormsOfName, .integer(hash)) { row in
            (row.integer(0), KeyEnding(lead: row.integer(1), text: row.text(2)))
        }
        for (id, known) in found where known == ending { return id }
        try database.run(
            Self.insertAliasForm,
            .integer(hash),
            .integer(ending.lead.rawValue),
            .text(ending.text)
        )
        return database.lastInsertedRow
    }

    private struct Form {
        var ending: KeyEnding?
        var directives: Directives?

        init(row: Statement) {
            ending = KeyEnding(lead: row.integer(1), text: row.text(2))
            directives = row.directives(from: 3)
        }
    }

    private static let formColumns = """
        id, lead, ending, original, mode, box_width, box_height, quality, asked_format, enlarge,
        axis_x, axis_y, interlace, keeps_animation
        """
    private static let formsOfName = "SELECT \(formColumns) FROM form WHERE name_hash = ?1"
    private static let formOfID = "SELECT \(formColumns) FROM form WHERE id = ?1"
    private static let insertForm = """
        INSERT INTO form (name_hash, lead, ending, original, mode, box_width, box_height, quality,
            asked_format, enlarge, axis_x, axis_y, interlace, keeps_animation, extra)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
        """
    private static let aliasFormsOfName = """
        SELECT id, lead, ending FROM alias_form WHERE name_hash = ?1
        """
    private static let insertAliasForm = """
        INSERT INTO alias_form (name_hash, lead, ending) VALUES (?1, ?2, ?3)
        """
}

extension Statement {
    /// Directives that begin with the column `original`; `nil` for a source's own bytes.
    func directives(from column: Int) -> Directives? {
        if flag(column) { return nil }
        return Directives(
            mode: Mode(rawValue: text(column + 1)),
            box: Size(width: integer(column + 2), height: integer(column + 3)),
            quality: integer(column + 4),
            format: optionalText(column + 5).flatMap(OutputFormat.init(rawValue:)),
            enlarge: flag(column + 6),
            axis: Axis(horizontal: integer(column + 7), vertical: integer(column + 8)),
            interlace: flag(column + 9),
            keepsAnimation: flag(column + 10)
        )
    }
}

/// The rows of the forms that a stage comes upon again and again: so many, what is beyond them is
/// looked up each time.
struct KnownForms {
    private struct Name: Hashable {
        var ending: KeyEnding
        var directives: Directives?
    }

    private static let most = 4_096

    private let state: StateDatabase
    private var forms: [Name: Int] = [:]
    private var aliasForms: [KeyEnding: Int] = [:]

    init(_ state: StateDatabase) { self.state = state }

    mutating func id(of key: String, _ directives: Directives?, path: String) throws -> Int {
        let name = Name(ending: KeyEnding(of: key, path: path), directives: directives)
        if let known = forms[name] { return known }
        let id = try state.formID(name.ending, directives)
        if forms.count < Self.most { forms[name] = id }
        return id
    }

    mutating func aliasID(of key: String, path: String) throws -> Int {
        let ending = KeyEnding(of: key, path: path)
        if let known = aliasForms[ending] { return known }
        let id = try state.aliasFormID(ending)
        if aliasForms.count < Self.most { aliasForms[ending] = id }
        return id
    }
}
