import Foundation
import TestSupport
import Testing

/// Photograph-sized files served by nginx, each asked for at three sizes, with every mode made: 12 of
/// them, or 1,000 with `GEARBOX_SOAK=1`.
@Suite("Photographs over HTTP", .serialized)
struct PhotographTests {
    @Test("come out in the right sizes, without a failure")
    func photographs() throws {
        let count = ProcessInfo.processInfo.environment["GEARBOX_SOAK"] == "1" ? 1_000 : 12
        let scratch = try Scratch()
        // The server starts before the files are there: they are drawn for its address.
        try scratch.write("", to: "origin/empty")
        let nginx = try Nginx(serving: scratch.path + "/origin")
        let drawn = try Program.run(
            "/bin/bash",
            ["bench/photos.sh", scratch.path, "\(count)", nginx.host]
        )
        try #require(drawn.status == 0, "\(drawn.errors)")

        let ran = try RunLines(
            Program.gearbox("run", scratch.path + "/photos.json5", "--quiet", "--json", "-")
        )
        #expect(ran.status == 0, "\(ran.errors)")
        #expect(ran.run["produced"] == 3 * count)
        #expect(ran.run["failed"] == 0)
        let judged = try Program.python(
            "Tests/EndToEndTests/check.py",
            "--cache",
            scratch.path + "/cache",
            "--manifest",
            scratch.path + "/photos.txt",
            "--pipeline-facts",
            scratch.path + "/photos.json5",
            "--files",
            "\(nginx.host)=\(scratch.path)/origin",
            "--facts",
            scratch.path + "/photos-facts.jsonl",
            "--no-pixels"
        )
        #expect(judged.status == 0, "\(judged.output)")
    }
}
