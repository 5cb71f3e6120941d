internal import System

extension Pipeline {
    /// A pipeline file is a page of text; what is larger is something else.
    private static let largestFile = 1_048_576

    /// Reads and checks a pipeline file.
    ///
    /// - Parameter path: the file; relative paths in it start from its folder.
    /// - Returns: the pipeline with every default filled in.
    /// - Throws: `PipelineError` with every problem at once.
    package static func read(_ path: String) throws(PipelineError) -> Pipeline {
        let file: String
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileReader.contents(of: path, limit: largestFile)
            file = try Files.resolved(path)
        } catch {
            throw PipelineError(
                file: path,
                problems: [PipelineProblem(keyPath: "", message: error.message)]
            )
        }
        let tree: JSONTree
        do throws(PipelineProblem) {
            tree = try JSONTree.parse(bytes)
        } catch {
            throw PipelineError(file: path, problems: [error])
        }
        let reader = PipelineReader(folder: Files.parent(of: file) ?? "/")
        let pipeline = reader.pipeline(from: tree, file: file)
        guard reader.problems.list.isEmpty else {
            throw PipelineError(file: path, problems: reader.problems.list)
        }
        return pipeline
    }
}
