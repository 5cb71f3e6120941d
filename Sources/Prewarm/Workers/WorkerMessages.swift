internal import FoundationEssentials
internal import Rendering
internal import Store
internal import System

/// What the runner says to a worker.
enum WorkerOrder: Codable, Sendable {
    /// The first: how it will render.
    case begin(WorkerSetup)
    case render(RenderJob)
    /// To read an original's header alone.
    case probe(original: String, format: FileFormat)
    /// The memory that the job needs is there.
    case admit
}

/// What a worker says to the runner.
enum WorkerAnswer: Codable, Sendable {
    /// It has given its rights up and waits for a job.
    case ready(Sandbox.Enforcement)
    /// Before the first pixel is decoded: how much memory the whole worker will take.
    case needs(bytes: Int)
    case rendered(RenderedSource)
    case probed(SourceFacts)
    case failed(RenderError)
}

/// What does not change from job to job.
struct WorkerSetup: Codable, Sendable {
    var settings: RenderSettings
    /// The cache directory.
    var cache: String
    /// The folder that originals lie in, or the only one.
    var originals: String
}

extension MessageSocket {
    func send(_ message: some Encodable, within time: Duration? = nil) throws {
        try send([UInt8](JSONEncoder().encode(message)), within: time)
    }
}

extension Decodable {
    /// Reads a message; `nil` where the other end has gone wrong.
    init?(message: [UInt8]) {
        guard let value = try? JSONDecoder().decode(Self.self, from: Data(message)) else {
            return nil
        }
        self = value
    }
}
