import Foundation
import TestSupport
import Testing

@Suite("gearbox canonicalize")
struct CanonicalizeTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func run(_ arguments: String..., input: [UInt8]) throws -> Program {
        try Program.run(Program.gearbox, ["canonicalize"] + arguments, input: Data(input))
    }

    private let canonical = "http://h/a.jpg?imageView=1&quality=89&thumbnail=120y120"

    @Test("gives a line for a line, with LF or CRLF, a byte order mark or none")
    func lineEnds() throws {
        let url = "http://h/a.jpg?param=110y110"
        for text in [
            "\(url)\n\n\(url)\n", "\u{FEFF}\(url)\r\n\r\n\(url)\r\n", "\(url)\n \t\n\(url)",
        ] {
            let program = try Program.gearbox("canonicalize", input: text)
            #expect(program.lines == [canonical, "", canonical], "\(Array(text.utf8))")
            #expect(program.status == 0)
        }
        let empty = try Program.gearbox("canonicalize", input: "")
        #expect(empty.output == "" && empty.status == 0)
    }

    @Test("takes any bytes, and writes JSON in UTF-8 of them")
    func anyBytes() throws {
        let line = Array("http://h/".utf8) + [0x00, 0xFF, 0x22, 0x5C, 0x1B, 0xC3] + [0x0A]
        let text = try run(input: line)
        #expect(text.output == "http://h/%00%FF%22%5C%1B%C3\n")
        let json = try run("--json", input: line)
        let object = try JSONText(json.lines[0])
        #expect(object.text("key") == "/%00%FF%22%5C%1B%C3")
        #expect(object.text("input") == "http://h/\0\u{FFFD}\"\\\u{1B}\u{FFFD}")
        #expect(json.status == 0)
        let explained = try run("--explain", input: line)
        #expect(explained.lines.first == "http://h/%00%FF\"\\%1B%C3", "no control characters")
    }

    @Test("takes every byte on a line of its own without ending early")
    func everyByte() throws {
        var input: [UInt8] = []
        for byte in UInt8.min...UInt8.max where byte != 0x0A && byte != 0x0D {
            input += Array("http://h/a?b=".utf8) + [byte, 0x0A]
        }
        for flags in [[], ["--json"]] {
            let program = try Program.run(
                Program.gearbox,
                ["canonicalize"] + flags,
                input: Data(input)
            )
            #expect(program.lines.count == 254)
            #expect(program.status == 0)
            for line in program.lines where !flags.isEmpty { _ = try JSONText(line) }
        }
    }

    @Test("takes very long lines up to a mebibyte, and counts longer ones as errors")
    func longLines() throws {
        let start = "http://h/"
        let longest = start + String(repeating: "a", count: (1 << 20) - start.utf8.count)
        let program = try Program.gearbox(
            "canonicalize",
            input: "\(longest)\n\(longest)b\n\(start)\n\(longest)\(longest)\(longest)"
        )
        #expect(program.lines == [longest, "", start, ""])
        #expect(program.status == 1)
        #expect(program.errors.contains("-:2: the line is longer than 1048576 bytes"))
        #expect(program.errors.contains("-:4: "))
        let json = try Program.gearbox("canonicalize", "--json", input: longest + "b")
        #expect(try JSONText(json.lines[0]).isNull("input"))
    }

    @Test("tells the first ten bad lines, then their count")
    func manyBadLines() throws {
        let bad = String(repeating: "no url\n", count: 50_000)
        let text = try Program.gearbox("canonicalize", input: "http://h/a\n" + bad)
        #expect(text.status == 1)
        #expect(text.lines.count == 50_001)
        let told = text.errors.split(separator: "\n")
        #expect(told.count == 11)
        #expect(told.first?.contains("-:2: the URL has no scheme") == true)
        #expect(
            told.last?.contains("50000 lines without a canonical form; the first 10 are above")
                == true
        )
        let json = try Program.gearbox("canonicalize", "--json", input: bad)
        #expect(json.status == 1)
        #expect(json.errors.split(separator: "\n").count == 1)
        #expect(try JSONText(json.lines[49_999]).text("input") == "no url")
    }

    @Test("ends well where its reader goes away, also after bad lines")
    func brokenPipe() throws {
        let lines = String(repeating: "http://h/a.jpg?param=110y110\nno url\n", count: 200_000)
        try scratch.write(lines, to: "a.txt")
        for flags in ["", "--json", "--explain"] {
            let program = try Program.run(
                "/bin/bash",
                [
                    "-c",
                    "\"$0\" canonicalize \(flags) a.txt 2>errors | head -n 1;"
                        + " echo ${PIPESTATUS[0]}",
                    Program.gearbox,
                ],
                in: scratch.path
            )
            #expect(program.lines.count == 2)
            #expect(program.lines.last == "0", "\(flags)")
        }
    }

    @Test("answers each line of a pipe before the next one comes")
    func conversation() throws {
        let program = try StartedProgram(
            Program.gearbox,
            ["canonicalize"],
            input: .pipe,
            output: .pipe
        )
        for _ in 0..<3 {
            try program.input?.write(contentsOf: Data("http://H/a\n".utf8))
            #expect(program.output?.availableData == Data("http://h/a\n".utf8))
        }
        try program.input?.close()
        #expect(program.waitForEnd() == 0)
    }

    @Test("reads files in their order, and names the one with a bad line")
    func files() throws {
        try scratch.write("http://h/1\nbad\n", to: "a.txt")
        try scratch.write("http://h/2", to: "b.txt")
        let program = try Program.gearbox(
            "canonicalize",
            "b.txt",
            "a.txt",
            "-",
            input: "http://h/3",
            in: scratch.path
        )
        #expect(program.lines == ["http://h/2", "http://h/1", "", "http://h/3"])
        #expect(program.errors.contains("a.txt:2: "))
        #expect(program.status == 1)
        let missing = try Program.gearbox("canonicalize", "none.txt", in: scratch.path)
        #expect(missing.status == 4)
        #expect(missing.errors.contains("none.txt"))
        let url = try Program.gearbox("canonicalize", "http://h/a?Signature=secret")
        #expect(url.status == 2)
        #expect(url.errors.contains("give URLs on standard input"))
        #expect(!url.errors.contains("secret"))
    }

    @Test("does as a pipeline's origins and gears say")
    func pipeline() throws {
        try scratch.write(
            """
            { manifests: [], origins: [{ name: 'q', hosts: ['q.example'], dialect: 'qiniu' }],
              defaultScheme: 'https', gears: { sizes: [64, 128] } }
            """,
            to: "p.json5"
        )
        let program = try Program.gearbox(
            "canonicalize",
            "--pipeline",
            "p.json5",
            input: "//q.example/a?imageView2/2/w/100\n//h/a?param=1y1\n",
            in: scratch.path
        )
        #expect(
            program.lines == [
                "https://q.example/a?imageView2/2/w/128/q/89",
                "https://h/a?imageView=1&quality=89&thumbnail=64y64",
            ]
        )
    }

    @Test("explains each line in a block of sentences")
    func explain() throws {
        let input = "http://h/a.jpg?param=110y110\n\n# a comment\nftp://h\n"
        let program = try Program.gearbox("canonicalize", "--explain", input: input)
        #expect(program.status == 1)
        #expect(
            program.output == """
                http://h/a.jpg?param=110y110
                  The host is of the origin h, whose dialect is nos.
                  Asked for: mode y (fill the box and crop), 110 by 110.
                  The longer side 110 goes up to the gear 120: 120 by 120.
                  No quality is asked for, which means 75, which goes up to the gear 89.
                  No format is asked for: the source's own decides.
                  Canonical: \(canonical)

                ftp://h
                  There is no key: the URL's scheme is not supported; only http and https are.


                """
        )
        let json = try Program.gearbox("canonicalize", "--explain", "--json", input: input)
        let first = try JSONText(json.lines[0])
        #expect(first.text("canonical") == canonical)
        #expect(first.texts("explanation")?.count == 5)
        #expect(json.lines.count == 4)
    }

    @Test("says the same in text and in JSON of every vector")
    func vectors() throws {
        let folder = Program.root + "/fixtures/vectors/"
        for file in try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        where file.hasSuffix(".jsonl") {
            let lines = try String(contentsOfFile: folder + file, encoding: .utf8)
                .split(separator: "\n").map { try JSONText(String($0)) }
            // The defaults only; and a comment or a line end is not what a line of a filter can be.
            let vectors = lines.filter { vector in
                let input = vector.text("input") ?? ""
                return vector.isMissing("config") && !input.isEmpty && !input.hasPrefix("#")
                    && !input.utf8.contains(0x0A) && input.utf8.last != 0x0D
            }
            let input = vectors.map { ($0.text("input") ?? "") + "\n" }.joined()
            let text = try Program.gearbox("canonicalize", input: input)
            let json = try Program.gearbox("canonicalize", "--json", input: input)
            #expect(text.lines.count == vectors.count)
            for (index, vector) in vectors.enumerated() {
                let object = try JSONText(json.lines[index])
                let name = Comment(rawValue: "\(file): \(vector.text("input") ?? "")")
                #expect(text.lines[index] == vector.text("canonical") ?? "", name)
                for field in ["canonical", "key", "class", "origin", "source", "mode", "extra"] {
                    #expect(object.text(field) == vector.text(field), name)
                }
                #expect(object.integer("width") == vector.integer("width"), name)
                #expect(object.integer("quality") == vector.integer("quality"), name)
            }
        }
    }
}
