internal import GearboxDatabase

/// Earlier versions of the state.
extension StateDatabase {
    /// What is only looked at stays of its version: a view stands before or for what it has not.
    func lookAt(version: Int) throws {
        guard version < 6 else { return }
        let missing = Self.columns(missingIn: version)
        guard version < 5 else {
            try database.execute(
                "CREATE TEMP VIEW source AS SELECT *, \(missing) FROM main.source"
            )
            return
        }
        try defineNames()
        try database.execute(
            """
            CREATE TEMP VIEW source AS SELECT *, \(missing),
                source_hash(origin_id, opaque, path) AS name_hash FROM main.source;
            CREATE TEMP VIEW keyed_variant AS SELECT *, id AS form_id, 0 AS lines,
                0 AS first_entry FROM main.variant;
            CREATE TEMP VIEW asked_variant AS SELECT id AS entry_id, variant_id FROM main.entry
            """
        )
    }

    /// Writes a copy of the state, of its own version, into a new file; nothing else is read after it.
    func write(to path: String) throws {
        for view in ["source", "keyed_variant", "asked_variant"] {
            try database.execute("DROP VIEW IF EXISTS temp.\(view)")
        }
        try database.run("VACUUM INTO ?1", .text(path))
    }

    /// What the step to version 5 finds rows by.
    func defineNames() throws {
        try database.define("source_hash", arguments: 3) { values in
            guard case .integer(let origin) = values[0], case .integer(let kind) = values[1],
                case .text(let path) = values[2], let kind = SourceName.Kind(rawValue: kind)
            else { return .null }
            return .integer(SourceName(origin: origin, path: path, kind: kind).nameHash)
        }
        try database.define("form_hash", arguments: 2) { values in
            guard case .integer(let lead) = values[0], case .text(let text) = values[1],
                let ending = KeyEnding(lead: lead, text: text)
            else { return .null }
            return .integer(ending.nameHash)
        }
        try database.define("key_lead", arguments: 2) { values in
            guard case .text(let key) = values[0], case .text(let path) = values[1] else {
                return .null
            }
            return .integer(KeyEnding(of: key, path: path).lead.rawValue)
        }
        try database.define("key_ending", arguments: 2) { values in
            guard case .text(let key) = values[0], case .text(let path) = values[1] else {
                return .null
            }
            return .text(KeyEnding(of: key, path: path).text)
        }
    }

    /// The first item is what version 2 has and version 1 has not.
    private static func columns(missingIn version: Int) -> String {
        let columns = [
            "'' AS host, NULL AS promise, NULL AS failure_at, NULL AS rendered_set",
            "NULL AS variant_of, listing AS wanted",
            """
            0 AS seen_at, 0 AS first_night, 0 AS night, 1 AS nights, 0 AS hits, 0 AS earlier_hits,
            0 AS evicted
            """,
            nil,
            "0 AS turn",
        ]
        return columns[(version - 1)...].compactMap(\.self).joined(separator: ", ")
    }
}
