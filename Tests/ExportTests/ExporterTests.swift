import Export
import Foundation
import GearboxClient
import GearboxIndex
import System
import TestSupport
import Testing

@Suite("An export")
struct ExporterTests {
    private func code(_ body: () throws -> ExportReport) -> ExportError.Code? {
        #expect(throws: ExportError.self) { try body() }?.code
    }

    @Test("takes the place of an earlier export at once, and of nothing else")
    func place() throws {
        let cache = try SmallCache([Picture("/a.jpg")])
        let scratch = cache.scratch
        try FileManager.default.createDirectory(
            atPath: scratch.file("out"),
            withIntermediateDirectories: false
        )
        try cache.export("nuke")
        try cache.export("glide")
        #expect(cache.exported().allSatisfy { $0.hasPrefix("image_manager_disk_cache/") })

        try scratch.write("mine", to: "out/notes.txt")
        #expect(code { try cache.export("glide") } == .notAnExport)
        #expect(try scratch.read("out/notes.txt") == "mine")
        try scratch.write("", to: "file")
        #expect(code { try cache.export("glide", to: "file") } == .notAnExport)
        #expect(code { try cache.export("glide", to: "cache") } == .overCache)
        try scratch.write("{}", to: "foreign/export.json")
        #expect(code { try cache.export("glide", to: "foreign") } == .notAnExport)
        #expect(try scratch.names() == ["cache", "file", "foreign", "out"], "nothing else is left")
    }

    @Test("refuses an earlier export with a file in it that is not the export's")
    func strangers() throws {
        let cache = try SmallCache([Picture("/a.jpg")])
        try cache.export("nginx")
        let config = try cache.scratch.read("out/server.conf")
        for file in ["tree/mine/precious", "tree/jpg/precious"] {
            try cache.scratch.write("mine", to: "out/" + file)
            #expect(code { try cache.export("nginx") } == .notAnExport)
            #expect(try cache.scratch.read("out/" + file) == "mine")
            try FileManager.default.removeItem(atPath: cache.scratch.file("out/" + file))
            if file.contains("mine") {
                #expect(code { try cache.export("nginx") } == .notAnExport, "a folder is one, too")
                try FileManager.default.removeItem(atPath: cache.scratch.file("out/tree/mine"))
            }
        }
        // What the export wrote may be written anew, and shipped.
        try cache.scratch.write("# mine", to: "out/server.conf")
        try cache.export("nginx")
        #expect(try cache.scratch.read("out/server.conf") == config)
        try FileManager.default.removeItem(atPath: cache.scratch.file("out/tree"))
        try cache.export("nuke")
    }

    @Test("never touches the cache that it reads: the place is not it, in it or around it")
    func overCache() throws {
        let cache = try SmallCache([Picture("/a.jpg")])
        let scratch = cache.scratch
        try cache.export("index", to: "bundle")
        for (link, target) in [("to-bundle", "bundle"), ("to-all", ".")] {
            try FileManager.default.createSymbolicLink(
                atPath: scratch.file(link),
                withDestinationPath: target
            )
        }
        let before = scratch.files()
        let nuke = try #require(Layouts.named("nuke"))
        for from in ["bundle", "to-bundle", "to-all/bundle"] {
            let exporter = Exporter(
                cache: scratch.file(from),
                layout: nuke,
                options: ExportOptions(),
                version: "0"
            )
            for place in [
                "bundle", "bundle/", "to-bundle", "to-all/bundle", "bundle/in", "bundle/far/in",
                "to-bundle/store/in", "nowhere/../bundle/in", ".", "to-all", "bundle/..",
            ] {
                #expect(
                    code { try exporter.export(to: scratch.file(place)) } == .overCache,
                    "\(from), \(place)"
                )
            }
            #expect(scratch.files() == before)
            _ = try exporter.export(to: scratch.file("out"))
            try FileManager.default.removeItem(atPath: scratch.file("out"))
        }
    }

    @Test("names a mount point as what it is")
    func mountPoint() throws {
        // In a name space of its own; where that is not allowed, nothing is tested.
        let cache = try SmallCache([Picture("/a.jpg")])
        let script = """
            mount -t tmpfs x "$1" && exec "$0" export --cache "$2" --layout nuke "$1"
            """
        try FileManager.default.createDirectory(
            atPath: cache.scratch.file("mount"),
            withIntermediateDirectories: false
        )
        let program = try Program.run(
            "/usr/bin/unshare",
            [
                "-m", "/bin/bash", "-c", script, Program.gearbox, cache.scratch.file("mount"),
                cache.path,
            ]
        )
        guard !program.errors.contains("unshare:"), !program.errors.contains("mount:") else {
            return
        }
        #expect(program.status == 2)
        #expect(program.errors.contains("it is a mount point"), "\(program.errors)")
    }

    @Test("tells whether a variant's own name is left out, or an alias alone")
    func leftOut() throws {
        let aliases = try SmallCache([Picture("/a.jpg", aliases: ["/../../b.jpg"])])
        let report = try aliases.export("nginx")
        #expect(report.refusals == 1 && !report.lacksVariants)
        let keys = try SmallCache([Picture("/a.jpg"), Picture("/../../b.jpg")])
        #expect(try keys.export("nginx").lacksVariants)
    }

    @Test("takes hosts in any case")
    func hostCase() throws {
        let cache = try SmallCache([Picture("/a.jpg")])
        #expect(try cache.export("nuke", ExportOptions(hosts: ["A.Example"])).names == 1)
    }

    @Test("follows a link to where the last export is, and makes folders that are missing")
    func links() throws {
        let cache = try SmallCache([Picture("/a.jpg")])
        try cache.export("nuke", to: "deep/below/out")
        try FileManager.default.createSymbolicLink(
            atPath: cache.scratch.file("link"),
            withDestinationPath: "deep/below/out"
        )
        try cache.export("glide", to: "link/")
        let there = try FileStatus(of: cache.scratch.file("link"), followingLinks: false)
        #expect(there.kind == .other)
        #expect(cache.exported("deep/below/out").contains("image_manager_disk_cache/journal"))
    }

    @Test("fails whole where a file of the store is missing, and names it")
    func missing() throws {
        let cache = try SmallCache([Picture("/a.jpg"), Picture("/b.jpg"), Picture("/c.jpg")])
        try cache.export("nuke")
        let before = cache.exported()
        for key in ["/a.jpg", "/b.jpg"] {
            try FileManager.default.removeItem(atPath: "\(cache.path)/\(cache.files[key] ?? "")")
        }
        for layout in Layouts.all {
            let error = #expect(throws: ExportError.self) {
                try cache.export(
                    layout.name,
                    ExportOptions(hosts: layout.takesKeys ? ["a.example"] : [])
                )
            }
            #expect(error?.code == .filesMissing)
            #expect(
                error?.message.contains("and so are 1 more") == true,
                "\(layout.name): \(error!)"
            )
            #expect(cache.files.values.contains { error?.subject.hasSuffix($0) == true })
        }
        #expect(cache.exported() == before)
        #expect(try cache.scratch.names() == ["cache", "out"])
        try cache.scratch.write("", to: "cache/\(cache.files["/a.jpg"] ?? "")/file")
        let folder = #expect(throws: ExportError.self) { try cache.export("nuke") }
        #expect(folder?.message.hasPrefix("no file; remove it, and so are 1 more") == true)
    }

    @Test("reads no file outside the store, whatever the index says")
    func outside() throws {
        for file in ["../secret", "store/../../secret", "/etc/passwd", "index.sqlite"] {
            let cache = try SmallCache([Picture("/a.jpg", text: "12345", file: file)])
            try cache.scratch.write("12345", to: "secret")
            for layout in ["nuke", "index", "nginx"] {
                #expect(code { try cache.export(layout) } == .filesMissing, "\(file), \(layout)")
            }
        }
    }

    @Test("links files whose dates are nobody's, and copies the others with theirs")
    func dates() throws {
        let cache = try SmallCache([Picture("/a.jpg", aliases: ["/b.jpg"])])
        let stored = "\(cache.path)/\(cache.files["/a.jpg"] ?? "")"
        let old = WallTime(secondsSince1970: 1_000_000_000)
        try Files.setPermissions(stored, to: 0o644)
        try Files.setDates(stored, to: old)
        let store = try FileStatus(of: stored)
        for layout in ["nuke", "glide", "coil", "nginx", "index"] {
            let report = try cache.export(layout, to: layout)
            #expect(report.linked == report.files, "\(layout)")
        }
        let now = WallTime.now().nanosecondsSince1970
        for layout in ["sdwebimage", "kingfisher", "fresco-3.6", "fresco-3.7", "pinremoteimage"] {
            let report = try cache.export(layout, to: layout)
            #expect(report.linked == 0 && report.files == 4)
            for file in cache.exported(layout) {
                let status = try FileStatus(of: cache.scratch.file("\(layout)/\(file)"))
                #expect(status.inode != store.inode)
                #expect(status.links == 4, "the names of one picture are one file")
                if layout == "kingfisher" {
                    #expect(status.modifiedNanoseconds == 2_114_380_800 * 1_000_000_000)
                } else {
                    #expect(abs(status.modifiedNanoseconds - now) < 60 * 1_000_000_000)
                }
            }
        }
        #expect(try FileStatus(of: stored).modifiedNanoseconds == old.nanosecondsSince1970)
    }

    @Test("is open to every reader, though the store is not")
    func modes() throws {
        let cache = try SmallCache([Picture("/a.jpg")])
        try Files.setPermissions("\(cache.path)/\(cache.files["/a.jpg"] ?? "")", to: 0o600)
        #expect(try cache.export("nuke").linked == 0)
        let judged = try Program.python(
            "Tests/ExportTests/check_export.py",
            cache.path,
            cache.scratch.file("out"),
            "nuke"
        )
        #expect(judged.status == 0, "\(judged.output)")
    }

    @Test("says what the index does not have, and whose keys would be taken for another's")
    func wrongOptions() throws {
        let cache = try SmallCache([
            Picture("/a.jpg", side: 100), Picture("/a.jpg", origin: "other.example:8080"),
        ])
        #expect(code { try cache.export("nuke", .init(key: .key)) } == .severalOrigins)
        #expect(code { try cache.export("nuke", .init(hosts: ["no.example"])) } == .unknownHost)
        for (selection, wanted) in [
            (IndexSelection(origins: ["none"]), ExportError.Code.unknownOrigin),
            (IndexSelection(paths: ["/b*"]), .nothingSelected),
            (IndexSelection(gears: [99]), .nothingSelected),
        ] {
            #expect(code { try cache.export("index", .init(selection: selection)) } == wanted)
        }
        #expect(try cache.scratch.names() == ["cache"])
        #expect(throws: IndexError.self) {
            try FileManager.default.removeItem(atPath: cache.path + "/index.sqlite")
            try cache.export("nuke")
        }
    }

    @Test("removes what an export left that was killed, and not what another is making")
    func leftovers() throws {
        let cache = try SmallCache([Picture("/a.jpg")])
        for name in [".out.4194305-abc", ".out.1-abc", ".outer.4194305-abc", ".out.notes"] {
            try cache.scratch.write("", to: name + "/file")
        }
        try cache.export("nuke")
        #expect(
            try cache.scratch.names()
                == [".out.1-abc", ".out.notes", ".outer.4194305-abc", "cache", "out"]
        )
    }

    @Test("gives a name that is a variant's and an alias to the variant")
    func shadowedAlias() throws {
        let cache = try SmallCache([
            Picture("/a.jpg", aliases: ["/b.jpg", "/c.jpg"], text: "a"),
            Picture("/b.jpg", text: "b"),
        ])
        let options = ExportOptions(selection: .init(origins: ["pictures"]), key: .key)
        #expect(try cache.export("pinremoteimage", options).names == 3)
        let folder = "out/com.pinterest.PINDiskCache.PINRemoteImageManagerCache"
        #expect(try cache.scratch.read(folder + "/%2Fb%2Ejpg") == "b")
        #expect(try cache.scratch.read(folder + "/%2Fc%2Ejpg") == "a")
    }

    @Test("selects by origin, path and gear; a star is the only sign in a path")
    func selection() throws {
        let cache = try SmallCache([
            Picture("/covers/a.jpg", side: 100), Picture("/covers/a.jpg?w=1", side: 200),
            Picture("/covers/[b].jpg", side: 100), Picture("/other/covers/c.jpg", side: 300),
            Picture("/covers/a.jpg", origin: "other.example:8080", side: 100),
        ])
        func keys(_ selection: IndexSelection) throws -> [String] {
            var keys: [String] = []
            let catalog = try IndexCatalog(path: cache.path + "/index.sqlite", selection: selection)
            try catalog.forEachName { keys.append($0.key) }
            #expect(catalog.count == keys.count)
            return keys
        }
        #expect(try keys(IndexSelection()).count == 5)
        #expect(try keys(.init(origins: ["other.example:8080"])) == ["/covers/a.jpg"])
        #expect(try keys(.init(paths: ["/covers/*"])).count == 4)
        #expect(try keys(.init(paths: ["*/c.jpg", "/covers/[b].jpg"])).count == 2)
        #expect(try keys(.init(paths: ["/covers/?.jpg"])) == [])
        #expect(
            try keys(.init(gears: [200, 300])) == ["/covers/a.jpg?w=1", "/other/covers/c.jpg"]
        )
        #expect(
            try keys(.init(origins: ["pictures"], paths: ["/covers/*"], gears: [100])).count == 2
        )
    }

    @Test("selects what was asked for most")
    func hits() throws {
        let cache = try SmallCache([
            Picture("/a"), Picture("/b", side: 9), Picture("/c"), Picture("/d"),
            Picture("/a", origin: "other.example:8080"),
        ])
        let hits = [("/a", 5), ("/b", 9), ("/c", 1), ("/gone", 100)].map {
            VariantHits(origin: "pictures", key: $0.0, hits: $0.1)
        }
        func keys(_ minimum: Int?, _ top: Int?, gears: [Int] = []) throws -> [String] {
            var keys: [String] = []
            try IndexCatalog(
                path: cache.path + "/index.sqlite",
                selection: .init(gears: gears, hits: hits, minimumHits: minimum, top: top)
            ).forEachName { keys.append($0.key) }
            return keys
        }
        #expect(try keys(nil, 2) == ["/a", "/b"])
        #expect(try keys(nil, 9) == ["/a", "/b", "/c"])
        #expect(try keys(2, nil) == ["/a", "/b"])
        #expect(try keys(2, 1) == ["/b"])
        #expect(try keys(nil, 1, gears: [9]) == ["/b"])
        #expect(try keys(6, nil, gears: [9]) == ["/b"])
        #expect(try keys(10, nil) == [])
    }

    @Test("for a bundle is an index that answers as the whole one, of what it has")
    func excerpt() throws {
        let cache = try SmallCache([
            Picture(
                "/a.jpg?imageView=1&quality=100&thumbnail=90x90",
                aliases: ["/old.jpg"],
                side: 90
            ),
            Picture("/b.jpg?imageView=1&quality=100&thumbnail=90x90", side: 60),
            Picture("/c.jpg", origin: "other.example:8080", side: 90),
        ])
        try cache.export("index", .init(selection: .init(origins: ["pictures"], gears: [90])))
        let out = cache.scratch.file("out")
        let file = try #require(
            cache.files["/a.jpg?imageView=1&quality=100&thumbnail=90x90"]
        )
        #expect(cache.exported() == ["index.sqlite", file])
        let index = try RelationIndex(path: out + "/index.sqlite")
        #expect(index.generation == 7)
        let asked = "?thumbnail=90x90&quality=100"
        #expect(try index.resolve("http://a.example/a.jpg" + asked).result == .exact)
        #expect(try index.resolve("http://b.example/old.jpg").file == file)
        #expect(try index.resolve("http://a.example/b.jpg" + asked).result == .miss)
        #expect(try index.resolve("http://other.example:8080/c.jpg").result == .miss)
        let whole = try IndexReader(path: cache.path + "/index.sqlite").meta
        #expect(try IndexReader(path: out + "/index.sqlite").meta == whole)
        // Nothing of what was left out, and it is as any published index.
        let check = try Program.python(
            "-c",
            """
            import sqlite3, sys
            index = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro&immutable=1", uri=True)
            for table in "origin", "host", "source", "variant", "alias":
                print(index.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
            print(index.execute("PRAGMA integrity_check").fetchone()[0])
            """,
            out + "/index.sqlite"
        )
        #expect(check.lines == ["1", "2", "1", "1", "1", "ok"], "\(check.errors)")
    }
}
