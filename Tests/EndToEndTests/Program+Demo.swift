import TestSupport

extension Program {
    /// What the independent statement of the rules, in Python, finds in a cache that the demo made.
    static func judgedDemo(_ cache: String, _ arguments: String...) throws -> Program {
        let words = [
            "Tests/EndToEndTests/check.py", "--cache", cache, "--manifest",
            "fixtures/manifests/demo.txt", "--pipeline-facts", "pipelines/demo.json5", "--facts",
            "fixtures/origin-facts.jsonl",
        ]
        return try Program.run("/usr/bin/python3", words + arguments)
    }
}
