internal import Rendering
internal import Store
internal import Synchronization
internal import System

/// The runner's end of one worker.
///
/// Used by one thread at a time.
final class WorkerProcess: Sendable {
    /// What became of a job.
    enum Outcome {
        case rendered(RenderedSource)
        case probed(SourceFacts)
        case failed(RenderError)
        /// It took too long; the worker is killed.
        case timedOut
        /// The worker grew to so many bytes, and is killed.
        case outgrew(Int)
        /// The worker ended by itself, or was ended by others.
        case ended(ChildEnd)
        /// The worker says what it cannot mean, and is killed.
        case confused
    }

    /// What is wrong with a worker in the middle of a job.
    private enum Fault: Error {
        case timedOut
        case outgrew(Int)
        case ended
        case confused
    }

    /// How much longer than `limits.seconds` a worker may take: it is asked to stop first.
    private static let grace = Duration.seconds(2)
    private static let watchInterval = Duration.milliseconds(100)
    /// How often a job that waits for memory looks whether it is its turn.
    private static let admissionInterval = Duration.milliseconds(20)
    /// A healthy worker is ready in a tenth of a second, and reads what it is sent at once.
    private static let patience = Duration.seconds(30)

    let identifier: Int32
    let enforcement: Sandbox.Enforcement
    private let child: ChildProcess
    private let limits: RenderSettings.Limits
    private let jobs = Atomic<Int>(0)

    /// Starts a worker and waits until it is ready.
    ///
    /// - Throws: a `RenderError` where none can work here.
    init(program: String, setup: WorkerSetup) throws(RenderError) {
        limits = setup.settings.limits
        do {
            (child, enforcement) = try Self.started(program, setup)
        } catch let error as RenderError {
            throw error
        } catch {
            throw Self.unusable("cannot be started: \(error)")
        }
        identifier = child.identifier
    }

    private static func started(
        _ program: String,
        _ setup: WorkerSetup
    ) throws -> (ChildProcess, Sandbox.Enforcement) {
        let child = try ChildProcess(
            program: program,
            name: "gearbox",
            arguments: [RenderWorker.command, "\(ProcessFacts.identifier)"]
        )
        var answer: MessageSocket.Received?
        do {
            try child.socket.send(WorkerOrder.begin(setup), within: patience)
            answer = try child.socket.receive(within: patience)
        } catch let error as SystemError where error.code == .brokenPipe || error.code == .late {
            answer = nil
        }
        guard case .message(let message) = answer, let answer = WorkerAnswer(message: message)
        else {
            child.kill()
            let end = child.wait()
            throw unusable(answer == .late ? "says nothing" : "ends at once: it \(end)")
        }
        switch answer {
        case .ready(let enforcement): return (child, enforcement)
        case .failed(let error): throw error
        default: throw unusable("is of another version")
        }
    }

    /// How many jobs it has had.
    var jobCount: Int { jobs.load(ordering: .relaxed) }

    /// The memory that it has now; `nil` where that is not known.
    var residentBytes: Int? { child.residentBytes }

    /// Has a job done.
    ///
    /// - Parameters:
    ///   - job: what is to be done.
    ///   - memory: what all workers share; the job waits for its part.
    /// - Returns: what became of it. After everything but `rendered` and `failed` the worker is of
    ///   no more use.
    func outcome(of job: RenderJob, memory: SharedMemory) -> Outcome {
        jobs.add(1, ordering: .relaxed)
        do throws(Fault) {
            try send(.render(job))
            switch try answer() {
            case .failed(let error): return .failed(error)
            case .needs(let bytes):
                let ticket = try admission(of: bytes, memory)
                defer { memory.leave(ticket) }
                try send(.admit)
                switch try answer() {
                case .failed(let error): return .failed(error)
                case .rendered(let source): return .rendered(source)
                case .ready, .needs, .probed: throw .confused
                }
            case .ready, .rendered, .probed: throw .confused
            }
        } catch {
            return ending(error)
        }
    }

    /// Has an original's header read.
    ///
    /// - Returns: what became of it. After everything but `probed` and `failed` the worker is of no
    ///   more use.
    func outcome(ofProbing original: String, format: FileFormat) -> Outcome {
        do throws(Fault) {
            try send(.probe(original: original, format: format))
            switch try answer() {
            case .failed(let error): return .failed(error)
            case .probed(let facts): return .probed(facts)
            case .ready, .needs, .rendered: throw .confused
            }
        } catch {
            return ending(error)
        }
    }

    /// Kills the worker for what is wrong with it.
    private func ending(_ fault: Fault) -> Outcome {
        child.kill()
        switch fault {
        case .timedOut: return .timedOut
        case .outgrew(let bytes): return .outgrew(bytes)
        case .confused: return .confused
        case .ended: return .ended(child.wait())
        }
    }

    /// Ends it; nothing happens where it has ended.
    func end() {
        child.kill()
        _ = child.wait()
    }

    private func send(_ order: WorkerOrder) throws(Fault) {
        do { try child.socket.send(order, within: Self.patience) } catch { throw .ended }
    }

    /// Waits for the next answer, and looks after the worker meanwhile.
    private func answer() throws(Fault) -> WorkerAnswer {
        let end = limits.seconds.map { ContinuousClock.now + .seconds($0) + Self.grace }
        while true {
            let received: MessageSocket.Received
            do { received = try child.socket.receive(within: Self.watchInterval) } catch {
                throw .confused
            }
            switch received {
            case .message(let message):
                guard let answer = WorkerAnswer(message: message) else { throw .confused }
                return answer
            case .closed: throw .ended
            case .late:
                if let bytes = child.residentBytes, bytes > limits.memory { throw .outgrew(bytes) }
                if let end, ContinuousClock.now >= end { throw .timedOut }
            }
        }
    }

    /// Waits until there is memory for a job.
    ///
    /// The worker waits, too, and may be ended meanwhile.
    private func admission(
        of bytes: Int,
        _ memory: SharedMemory
    ) throws(Fault) -> MemoryBudget.Ticket {
        let ticket = memory.enter(bytes)
        while !memory.admits(ticket) {
            let received = try? child.socket.receive(within: Self.admissionInterval)
            guard received == .late else {
                memory.leave(ticket)
                throw received == .closed ? .ended : .confused
            }
        }
        return ticket
    }

    private static func unusable(_ message: String) -> RenderError {
        RenderError(code: .environment, subject: "a worker", message: message)
    }
}
