import TestSupport

/// A pipeline of one host `h` whose pictures are in the folder `origin`.
extension Scratch {
    func writeManifest(_ entries: [String]) throws {
        try write(entries.map { "http://h/\($0)\n" }.joined(), to: "urls.txt")
    }

    /// Runs it, with what it says of variants.
    func runMirror(variants: String, _ arguments: [String]) throws -> RunLines {
        try write(
            """
            { manifests: ["urls.txt"], cache: "cache", variants: { \(variants) },
              origins: [{ name: "o", hosts: ["h"], sources: [{ mirror: "origin" }] }] }
            """,
            to: "p.json5"
        )
        return try RunLines(
            Program.run(
                Program.gearbox,
                ["run", file("p.json5"), "--quiet", "--json", "-"] + arguments
            )
        )
    }

    /// Rows of the published index, their columns parted by blanks.
    func index(_ query: String) throws -> [String] {
        let script = """
            import sqlite3, sys
            index = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
            for row in index.execute(sys.argv[2]): print(*row)
            """
        return try Program.python("-c", script, file("cache/index.sqlite"), query).lines
    }
}
