import Prewarm
import Rendering
import TestSupport
import Testing

@Suite("The steps of a pipeline file")
struct StepReadingTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func read(_ steps: String) throws(PipelineError) -> Pipeline {
        try? scratch.write("{ manifests: [], variants: { steps: \(steps) } }", to: "p.json5")
        return try Pipeline.read(scratch.path + "/p.json5")
    }

    private func problems(_ steps: String) -> [String] {
        do throws(PipelineError) {
            _ = try read(steps)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test("are read in their order, defaults filled in, a name alone where these will do")
    func reading() throws {
        let steps = """
            [{ sharpen: { sigma: 0.8 } }, { blur: { sigma: 2 } }, 'grayscale', 'sharpen',
             { grayscale: {} }, { adjust: { saturation: 1.1 } }]
            """
        #expect(
            try read(steps).rendering.steps.map(\.description) == [
                "sharpen(sigma=0.8,amount=1)", "blur(sigma=2)", "grayscale",
                "sharpen(sigma=0.6,amount=1)", "grayscale",
                "adjust(brightness=1,contrast=1,saturation=1.1)",
            ]
        )
        #expect(try read("[]").rendering.steps == [])
    }

    @Test("have all their problems reported at once, each with its key path")
    func allProblems() {
        let found = problems(
            """
            [{ blur: { sigma: 99, sigm: 1 } }, 'blurr', 'blur', 7, { blur: { sigma: 1 }, adjust: {} },
             { sharpen: { sigma: '1', amount: NaN } }, { adjust: 3 }, {}, { grayscale: { a: 1 } }]
            """
        )
        let there = "there are sharpen, blur, grayscale, adjust"
        let shape = "a step has one name, as in { blur: { sigma: 2 } }"
        #expect(
            found == [
                "variants.steps[0].blur.sigma: 99 is not a number from 0.3 to 50",
                "variants.steps[0].blur.sigm: unknown key; did you mean \"sigma\"?",
                "variants.steps[1]: there is no step \"blurr\"; \(there)",
                "variants.steps[2].blur.sigma: is missing: a number from 0.3 to 50",
                "variants.steps[3]: 7 is not a step such as { blur: { sigma: 2 } }",
                "variants.steps[4]: \(shape)",
                "variants.steps[5].sharpen.sigma: \"1\" is not a number from 0.3 to 10",
                "variants.steps[5].sharpen.amount: nan is not a number from 0 to 10",
                "variants.steps[6].adjust: 3 is not an object",
                "variants.steps[7]: \(shape)",
                "variants.steps[8].grayscale.a: unknown key",
            ],
            "\(found)"
        )
        #expect(problems("'blur'") == ["variants.steps: \"blur\" is not a list"])
    }

    @Test("are in the effective configuration with every parameter, which reads back as the same")
    func effective() throws {
        let steps = "[{ blur: { sigma: 2.5 } }, 'grayscale', 'adjust']"
        let pipeline = try read(steps)
        let text = pipeline.effectiveText
        #expect(text.contains("\"sigma\": 2.5"))
        #expect(text.contains("\"contrast\": 1,"))
        try scratch.write(text, to: "again.json5")
        let again = try Pipeline.read(scratch.path + "/again.json5")
        #expect(again.rendering.steps == pipeline.rendering.steps)
        #expect(again.effectiveText == text)
    }
}
