import PictureSupport
import TestSupport
import Testing

/// Animations that can only be shown as a still: a person sees it, in every report.
@Suite("An animated PNG")
struct DroppedAnimationTests {
    @Test("is counted where its animation is dropped, and a still one is not")
    func report() throws {
        let scratch = try Scratch()
        try Pillow.run(
            """
            os.mkdir('origin')
            frames = [Image.new('RGB', (90, 70), (80 * i, 9, 9)) for i in range(3)]
            for name in 'ab':
                frames[0].save(f'origin/{name}.png', save_all=True, append_images=frames[1:],
                    duration=ord(name))
            frames[0].save('origin/still.png')
            frames[0].save('origin/c.gif', save_all=True, append_images=frames[1:])
            """,
            in: scratch
        )
        let lines = ["a.png", "b.png", "still.png", "c.gif"].map {
            "http://h.invalid/\($0)?imageView=1&thumbnail=60x60&tostatic=0\n"
        }
        try scratch.write(lines.joined(), to: "list.txt")
        try scratch.write(
            """
            { manifests: ["list.txt"], cache: "cache", variants: { modes: "requested" },
              origins: [{ name: "h", hosts: ["h.invalid"], sources: [{ mirror: "origin" }] }] }
            """,
            to: "night.json5"
        )
        let ran = try Program.gearbox("run", scratch.file("night.json5"), "--json", "-")
        #expect(ran.status == 0, "\(ran.errors)")
        #expect(ran.output.contains("\"animations dropped\":2,"))
        #expect(ran.errors.contains("animations dropped: 2,"))
        let status = try Program.gearbox("status", "--cache", scratch.file("cache"))
        #expect(status.output.contains("2 animations dropped"))
        let again = try Program.gearbox("run", scratch.file("night.json5"))
        #expect(!again.errors.contains("animations dropped"), "nothing was rendered")
    }
}
