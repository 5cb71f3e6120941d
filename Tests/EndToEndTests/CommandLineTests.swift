import Foundation
import TestSupport
import Testing

@Suite("The command line")
struct CommandLineTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test(
        "explains each command as the golden text has it",
        arguments: [
            "", "run", "canonicalize", "resolve", "check", "plan", "status", "verify", "evict",
            "remove", "export", "gears",
        ]
    )
    func help(command: String) throws {
        let arguments = command.isEmpty ? ["--help"] : [command, "--help"]
        let program = try Program.run(Program.gearbox, arguments)
        #expect(program.status == 0)
        try Golden.expect(program.output, at: "help/\(command.isEmpty ? "gearbox" : command).txt")
    }

    @Test(
        "ends with 2 and a way out where it is wrong",
        arguments: [
            [], ["walk"], ["plan"], ["plan", "a", "b", "c"], ["run"], ["run", "a", "b"],
            ["run", "a", "--fast"],
            ["run", "a", "--until"],
            ["run", "a", "--until", "lunch"], ["run", "a", "--workers", "0"],
            ["run", "a", "--until", "plan", "--only", "plan"], ["resolve", "http://h/a"],
            ["run", "a", "--quiet=yes"], ["status"], ["gears"], ["gears", "--count", "0", "a"],
            ["gears", "--count", "many", "a"], ["gears", "--quality-count", "101", "a"],
            ["canonicalize", "--explain=yes"], ["verify"], ["verify", "--cache", "c", "x"],
            ["evict"], ["evict", "--cache", "c", "--max-bytes", "much"],
            ["evict", "--cache", "c", "--max-age", "0"],
            ["evict", "--cache", "c", "--dry-run", "--force"], ["remove", "--cache", "c"],
            ["remove", "http://h/a"],
            ["resolve", "--cache", "a", "--fit", "tight", "http://h/a"],
            ["resolve", "--cache", "a", "--output", "a.png"],
            ["resolve", "--cache", "a", "--output", "a.png", "http://h/a", "http://h/b"],
            ["resolve", "--cache", "a", "--output", "a.bmp", "http://h/a"],
            ["resolve", "--cache", "a", "--quick", "http://h/a"],
            ["resolve", "--cache", "a", "--output", "", "http://h/a"],
            ["resolve", "--cache", "a", "--output", "-", "--json", "http://h/a"],
            ["resolve", "--cache", "a", "--accept", "", "http://h/a"],
            ["resolve", "--cache", "a", "--accept", " , ", "http://h/a"],
            ["resolve", "--cache", "a", "--accept", "bmp", "http://h/a"],
            ["resolve", "--cache", "", "http://h/a"], ["run", "a", "--cache", ""],
            ["plan", "a", "--cache="], ["status", "--cache", ""],
            ["export", "--cache", "c", "--layout", "coil", "--path", "", "out"],
            ["export", "--cache", "c", "--layout", "coil", "--path", "covers/*", "out"],
            ["export", "--cache", "c", "--layout", "coil"], ["export", "--layout", "coil", "out"],
            ["export", "--cache", "c", "out"],
            ["export", "--cache", "c", "--layout", "picasso", "out"],
            ["export", "--cache", "c", "--layout", "coil", "--key", "path", "out"],
            ["export", "--cache", "c", "--layout", "coil", "--key", "key", "--host", "h", "out"],
            ["export", "--cache", "c", "--layout", "nginx", "--key", "url", "out"],
            ["export", "--cache", "c", "--layout", "index", "--gear", "wide", "out"],
            ["export", "--cache", "c", "--layout", "index", "--top", "0", "out"],
        ]
    )
    func usage(arguments: [String]) throws {
        let program = try Program.run(Program.gearbox, arguments)
        #expect(program.status == 2, "\(program.errors)")
        #expect(program.output == "")
        #expect(program.errors.contains("--help"))
    }

    @Test("reports every problem of a pipeline, and ends with 3")
    func invalidPipeline() throws {
        try scratch.write("{ manifest: [], workers: 0 }", to: "p.json5")
        for command in ["check", "run"] {
            let program = try Program.gearbox(command, scratch.path + "/p.json5")
            #expect(program.status == 3)
            #expect(program.errors.contains("manifests: is missing"))
            #expect(program.errors.contains("manifest: unknown key; did you mean \"manifests\"?"))
            #expect(program.errors.contains("workers: 0 is not a whole number from 1 to 1024"))
        }
    }

    @Test("names a manifest that is not there, and ends with 3")
    func missingManifest() throws {
        try scratch.write("{ manifests: ['no.txt'], cache: 'cache' }", to: "p.json5")
        for command in ["check", "run"] {
            let program = try Program.gearbox(command, scratch.path + "/p.json5")
            #expect(program.status == 3)
            #expect(program.errors.contains("\(scratch.path)/no.txt"), "\(program.errors)")
        }
    }

    @Test("survives a pipeline of any depth")
    func depth() throws {
        let lists = String(repeating: "[", count: 200_000) + String(repeating: "]", count: 200_000)
        try scratch.write("{ manifests: \(lists) }", to: "p.json5")
        let program = try Program.gearbox("check", scratch.path + "/p.json5")
        #expect(program.status == 3)
        #expect(program.errors.contains("nested more than 100 deep"))
    }

    @Test("fails where a stream that it reads is closed")
    func closedInput() throws {
        try scratch.write("{ manifests: ['-'], cache: 'cache' }", to: "p.json5")
        for command in ["run p.json5", "canonicalize", "resolve --cache cache"] {
            let program = try Program.run(
                "/bin/bash",
                ["-c", "exec \(Program.gearbox) \(command) <&-"],
                in: scratch.path
            )
            #expect(program.status == 3 || program.status == 4, "\(command): \(program.status)")
        }
    }

    @Test("keeps one pipeline out of another's cache directory")
    func otherPipeline() throws {
        for name in ["a", "b"] { try scratch.write("{ manifests: [] }", to: name + ".json5") }
        let cache = scratch.path + "/cache"
        #expect(try Program.gearbox("run", scratch.path + "/a.json5", "--cache", cache).status == 0)
        let other = try Program.gearbox("run", scratch.path + "/b.json5", "--cache", cache)
        #expect(other.status == 4)
        #expect(other.errors.contains("the pipeline \"a\""))
        #expect(try Program.gearbox("run", scratch.path + "/a.json5", "--cache", cache).status == 0)
        #expect(
            try Program.gearbox("run", scratch.path + "/b.json5").status == 0,
            "its own default"
        )
    }

    @Test("prints a pipeline that it accepts itself")
    func check() throws {
        let printed = try Program.gearbox("check", "pipelines/demo.json5")
        #expect(printed.status == 0)
        try scratch.write(printed.output, to: "p.json5")
        let again = try Program.gearbox("check", scratch.path + "/p.json5")
        #expect(again.output == printed.output)
        #expect(try Program.gearbox("check", "pipelines/example.json5").status == 3, "no urls.txt")
    }

    @Test("says at once who holds the cache directory, and ends with 4")
    func locked() throws {
        try scratch.write("{ manifests: ['-'], cache: 'cache' }", to: "p.json5")
        // The first run waits for its manifest: the lines of a pipe that stays open.
        let first = try StartedProgram(
            Program.gearbox,
            ["run", scratch.path + "/p.json5", "--quiet"],
            input: .pipe
        )
        first.wait { scratch.files().contains("cache/state.sqlite") }
        let second = try Program.gearbox("run", scratch.path + "/p.json5", "--quiet")
        #expect(second.status == 4)
        #expect(second.errors.contains("process \(first.identifier)"), "\(second.errors)")
        try first.input?.close()
        #expect(first.waitForEnd() == 0)
    }

    @Test("ends with 4 where the cache directory cannot be one")
    func brokenCache() throws {
        try scratch.write("", to: "file")
        try scratch.write("{ manifests: [], cache: 'file' }", to: "p.json5")
        let program = try Program.gearbox("run", scratch.path + "/p.json5", "--quiet")
        #expect(program.status == 4)
        #expect(program.errors.contains(scratch.path + "/file"), "\(program.errors)")
    }

    @Test("ends with 4 where there is no index, or it is something else")
    func noIndex() throws {
        let missing = try Program.gearbox("resolve", "--cache", scratch.path, "http://h/a")
        #expect(missing.status == 4)
        #expect(missing.errors.contains(scratch.path + "/index.sqlite"))
        try scratch.write(String(repeating: "no database ", count: 100), to: "index.sqlite")
        #expect(try Program.gearbox("resolve", "--cache", scratch.path, "http://h/a").status == 4)
        #expect(try Program.gearbox("status", "--cache", scratch.path).status == 4)
    }

    @Test("canonicalises a line for a line")
    func canonicalize() throws {
        let input = """
            http://h/a.jpg?param=110y110&quality=80

            # a comment
            h/no-scheme.jpg
            http://h/a.jpg?quality=80&thumbnail=110y110\r
            """
        let text = try Program.gearbox("canonicalize", input: input)
        #expect(text.status == 1)
        let canonical = "http://h/a.jpg?imageView=1&quality=89&thumbnail=120y120"
        #expect(text.lines == [canonical, "", "", "", canonical])
        #expect(text.errors.contains("-:4: "))
        let json = try Program.gearbox("canonicalize", "--json", input: input)
        let first = try JSONText(json.lines[0])
        #expect(first.text("class") == "simple")
        #expect(first.text("key") == "/a.jpg?imageView=1&quality=89&thumbnail=120y120")
        #expect(first.text("source") == "/a.jpg")
        #expect(first.integer("width") == 120)
        #expect(first.isNull("format"))
        #expect(try JSONText(json.lines[3]).text("error") != nil)
    }

    @Test("reads manifests named on the command line instead of the pipeline's")
    func manifests() throws {
        try scratch.write("{ manifests: ['no.txt'], cache: 'cache' }", to: "p.json5")
        try scratch.write("not a url", to: "a.txt")
        let program = try Program.gearbox(
            "run",
            scratch.path + "/p.json5",
            "--manifest",
            "a.txt",
            "--manifest",
            "-",
            "--json",
            "-",
            "--until",
            "plan",
            input: "ftp://h/b\n",
            in: scratch.path
        )
        let lines = try RunLines(program)
        #expect(lines.status == 1)
        #expect(lines.entries.map(\.url) == ["not a url", "ftp://h/b"], "\(program.errors)")
    }

    @Test("writes JSON to a file, through a link, to a device, or says so before the night")
    func jsonTargets() throws {
        try scratch.write("{ manifests: [], cache: 'cache' }", to: "p.json5")
        func run(_ target: String) throws -> Program {
            try Program.gearbox("run", "p.json5", "--quiet", "--json", target, in: scratch.path)
        }
        #expect(try run("out.jsonl").status == 0)
        #expect(try JSONText(scratch.read("out.jsonl")).integer("failed") == 0)
        _ = try Program.run("/bin/ln", ["-s", "out.jsonl", scratch.path + "/link"])
        #expect(try run("link").status == 0)
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: scratch.path + "/link")
                == "out.jsonl"
        )
        #expect(try run("/dev/null").status == 0)
        #expect(try run("/dev/full").status == 4)
        for device in ["/dev/null", "/dev/full"] {
            let facts = try FileManager.default.attributesOfItem(atPath: device)
            #expect(facts[.type] as? FileAttributeType == .typeCharacterSpecial)
        }
        _ = try Program.run("/bin/ln", ["-s", "later.jsonl", scratch.path + "/dangling"])
        #expect(try run("dangling").status == 0)
        #expect(try JSONText(scratch.read("later.jsonl")).integer("failed") == 0)
        try FileManager.default.removeItem(atPath: scratch.path + "/later.jsonl")
        let folder = try run("cache")
        #expect(folder.status == 4)
        #expect(folder.errors.contains("cache: it is a folder"), "\(folder.errors)")
        let missing = try run("missing/out.jsonl")
        #expect(missing.status == 4)
        #expect(missing.errors.contains("missing"))
        #expect(scratch.files().filter { $0.hasSuffix(".jsonl") } == ["out.jsonl"])
    }

    @Test("never prints a password, a signature or what would steer a terminal")
    func secrets() throws {
        try scratch.write("{ manifests: ['a.txt'], cache: 'cache' }", to: "p.json5")
        try scratch.write(
            "http://user:s3cret@h/a.jpg\nhttp://127.0.0.1:9/a.jpg?Signature=s3cret&Expires=1\n"
                + "\u{1B}[2Jhttp\u{0}\n",
            to: "a.txt"
        )
        let program = try Program.gearbox("run", scratch.path + "/p.json5")
        #expect(program.status == 1)
        #expect(program.errors.contains("user-info"))
        #expect(!program.errors.contains("s3cret"), "\(program.errors)")
        #expect(program.errors.contains("\\u{1b}[2Jhttp\\u{0}"))
        #expect(program.errors.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 32 })
    }

    @Test("reads URLs as canonicalize does: a line out for a line in, and the bytes of arguments")
    func urlLines() throws {
        try scratch.write("{ manifests: [], cache: 'cache' }", to: "p.json5")
        try #require(try Program.gearbox("run", scratch.file("p.json5"), "--quiet").status == 0)
        let long = String(repeating: "a", count: (1 << 20) + 1)
        let input = "\u{FEFF}http://h/a\r\n\n# http://h/b\nhttp://h/\(long)\nnothing\nhttp://h/c"
        func run(_ command: String...) throws -> Program {
            try Program.run(Program.gearbox, command, input: Data(input.utf8))
        }
        let cache = scratch.file("cache")
        let canonical = try run("canonicalize")
        let resolved = try run("resolve", "--cache", cache)
        #expect(resolved.status == 1 && canonical.status == 1)
        #expect(resolved.output == "miss   /a\n\n\n\n\nmiss   /c\n")
        #expect(resolved.output.filter { $0 == "\n" } == canonical.output.filter { $0 == "\n" })
        let said = canonical.errors.split(separator: "\n").prefix(2)
        #expect(said.count == 2 && resolved.errors.split(separator: "\n").prefix(2) == said)
        #expect(said.first?.contains("longer than 1048576 bytes") == true)
        let json = try run("resolve", "--cache", cache, "--json").output.split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        #expect(json.count == 7)
        #expect(json[3].contains("{\"input\":null,\"error\":\"the line is longer"))

        // As an argument and as a line; U+FFFD would be another picture.
        for command in ["resolve --cache cache", "plan p.json5", "remove --cache cache"] {
            let program = try Program.run(
                "/bin/bash",
                ["-c", #"exec "$0" \#(command) $'http://h/caf\xe9.jpg'"#, Program.gearbox],
                in: scratch.path
            )
            let told = program.output + program.errors
            #expect(told.contains("/caf%E9.jpg"), "\(command): \(told)")
            #expect(!told.contains("\u{FFFD}") && !told.contains("%EF%BF%BD"))
        }
    }

    @Test("says what a cache directory is not, and what to do")
    func noCache() throws {
        try scratch.write("a", to: "index.sqlite")
        try scratch.write("", to: "empty/none")
        _ = try Program.run(
            "/bin/bash",
            ["-c", "mkdir pipe folder && mkfifo pipe/index.sqlite && mkdir folder/index.sqlite"],
            in: scratch.path
        )
        for (cache, words) in [
            ("nowhere", "there is no such folder"), ("empty", "gearbox run makes one"),
            ("index.sqlite", "takes the folder that index.sqlite lies in"),
            ("pipe", "it is no file"), ("folder", "it is no file"),
        ] {
            for command in ["resolve http://h/a", "export --layout nuke out"] {
                let program = try Program.run(
                    "/bin/bash",
                    ["-c", "exec timeout 20 \(Program.gearbox) \(command) --cache \(cache)"],
                    in: scratch.path
                )
                #expect(program.status == 4, "\(cache)")
                #expect(program.errors.contains(words), "\(program.errors)")
            }
        }
        for (cache, words) in [
            ("nowhere", "there is no such folder"), ("empty", "no run has used this directory"),
            ("index.sqlite", "takes the folder that index.sqlite lies in"),
        ] {
            for command in ["status", "verify", "evict", "remove http://h/a"] {
                let program = try Program.run(
                    "/bin/bash",
                    ["-c", "exec \(Program.gearbox) \(command) --cache \(cache)"],
                    in: scratch.path
                )
                #expect(program.status == 4, "\(command) \(cache)")
                #expect(program.errors.contains(words), "\(command): \(program.errors)")
            }
        }
        try scratch.write("{ manifests: [], cache: 'cache' }", to: "p.json5")
        let empty = try Program.gearbox("plan", "p.json5", "", in: scratch.path)
        #expect(empty.status == 1)
        #expect(empty.errors.hasPrefix("gearbox: \"\": the URL has no scheme"), "\(empty.errors)")
    }
}
