/// One thing that is wrong with a pipeline file.
package struct PipelineProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// Where, `origins[0].hosts[2]`; empty for the file as a whole.
    package var keyPath: String
    /// What is wrong, what is allowed.
    package var message: String

    package init(keyPath: String, message: String) {
        self.keyPath = keyPath
        self.message = message
    }

    package var description: String { keyPath.isEmpty ? message : "\(keyPath): \(message)" }
}

/// All that is wrong with a pipeline file.
package struct PipelineError: Error, Sendable, Hashable {
    package var file: String
    package var problems: [PipelineProblem]

    package init(file: String, problems: [PipelineProblem]) {
        self.file = file
        self.problems = problems
    }
}
