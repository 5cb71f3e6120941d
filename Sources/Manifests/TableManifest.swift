/// Reads CSV and TSV: RFC 4180 with any separator, below a header row that names the columns.
///
/// A field in quotes may hold separators, line ends and doubled quotes. A quote that is never closed
/// costs the line it is in: reading goes on with the next one.
struct TableManifest: ManifestParser {
    private let separator: UInt8
    private let column: String
    private var columns: TableColumns?
    private var row = TableRow()
    private var fields = EntryFields()
    /// The text from the row on that is not read yet.
    private var text: [UInt8] = []
    private(set) var line = 1
    private var isStarted = false
    /// Whether the rest of a line is passed over.
    private var isPassing = false

    init(separator: Unicode.Scalar, column: String) {
        self.separator = UInt8(ascii: separator)
        self.column = column
    }

    mutating func read(_ bytes: Span<UInt8>, item: (ManifestItem) throws -> Void) throws {
        text.append(bytes)
        try parse(isAtEnd: false, item)
    }

    mutating func finish(item: (ManifestItem) throws -> Void) throws {
        try parse(isAtEnd: true, item)
        guard columns == nil else { return }
        throw ManifestFault(
            code: .noColumn,
            message: "is empty: its first row names the columns, of which one is \"\(column)\""
        )
    }

    private mutating func parse(
        isAtEnd: Bool,
        _ item: (ManifestItem) throws -> Void
    ) throws {
        var start = 0
        // A copy that shares its bytes: rows are read from it while this value changes.
        let text = text
        self.text = []
        defer { keep(text, from: start) }
        if !isStarted {
            guard isAtEnd || text.count >= ByteOrderMark.longest else { return }
            start = try ByteOrderMark.count(in: text.span)
            isStarted = true
        }
        while start < text.count {
            if isPassing {
                guard let next = TableRow.nextLine(text.span, start, isAtEnd) else {
                    // Its CR may be the first half of a CRLF.
                    start = text.last == 0x0D && !isAtEnd ? text.count - 1 : text.count
                    return
                }
                start = next
                line += 1
                isPassing = false
                continue
            }
            switch row.scan(text.span, from: start, separator: separator, isAtEnd: isAtEnd) {
            case .incomplete: return
            case .row(let end, let lines):
                try take(text.span, item)
                start = end
                line += lines
            case .fault(let fault, let place, let below, let next):
                line += below
                try refuse(Self.reason(fault), item)
                start = next ?? place
                if next == nil { isPassing = true } else { line += 1 }
            case .tooLong:
                try refuse("the row is longer than \(TableRow.longestRow) bytes", item)
                isPassing = true
            }
        }
    }

    private mutating func keep(_ text: [UInt8], from start: Int) {
        self.text = start == 0 ? text : Array(text[start...])
    }

    private mutating func take(
        _ text: Span<UInt8>,
        _ item: (ManifestItem) throws -> Void
    ) throws {
        if row.fields.count == 1 && row.fields[0].range.isEmpty && !row.fields[0].isQuoted {
            return
        }
        guard let columns else {
            let names = row.fields.map { field in
                var name: [UInt8] = []
                TableRow.append(field, of: text, to: &name)
                return ManifestText.shown(name.span.extracting(ManifestText.trimmed(name.span)))
            }
            return columns = try TableColumns(names, url: column)
        }
        guard row.fields.count == columns.count else {
            let fields = row.fields.count == 1 ? "1 field" : "\(row.fields.count) fields"
            let reason = "\(fields), but the header has \(columns.count)"
            return try item(.bad(line: line, reason: reason))
        }
        fields.removeAll()
        TableRow.append(row.fields[columns.url], of: text, to: &fields.url)
        if let hash = columns.hash { TableRow.append(row.fields[hash], of: text, to: &fields.hash) }
        if let hits = columns.hits { TableRow.append(row.fields[hits], of: text, to: &fields.hits) }
        try item(fields.item(line: line, column: column))
    }

    private func refuse(_ reason: String, _ item: (ManifestItem) throws -> Void) throws {
        guard columns == nil else { return try item(.bad(line: line, reason: reason)) }
        throw ManifestFault(
            code: .noColumn,
            message: "line \(line): the header row cannot be read: \(reason)"
        )
    }

    private static func reason(_ fault: TableRow.Fault) -> String {
        switch fault {
        case .unclosed: "a quote opens in this line and is never closed"
        case .closedEarly: "a quote opens in this line and closes before its field ends"
        }
    }
}

extension TableRow {
    /// Adds what a field says.
    static func append(_ field: Field, of text: Span<UInt8>, to bytes: inout [UInt8]) {
        guard field.hasDoubles else { return bytes.append(text.extracting(field.range)) }
        var place = field.range.lowerBound
        while place < field.range.upperBound {
            bytes.append(text[place])
            place += text[place] == UInt8(ascii: "\"") ? 2 : 1
        }
    }
}
