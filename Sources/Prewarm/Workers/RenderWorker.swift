internal import Rendering
internal import Store
internal import System

/// A worker: the process that decodes strangers' bytes, and may do next to nothing else.
///
/// It renders one job at a time for the runner that has started it, writes into the store's
/// temporary folder alone, and ends with the runner.
package struct RenderWorker {
    /// The word on the command line.
    package static let command = "render-worker"

    /// The runner's end of the socket is this descriptor here.
    private static let descriptor: Int32 = 3
    /// What the runner's own bound on memory leaves to this hard one: a worker that is about to be
    /// ended for its size must not meet an allocation that fails first.
    private static let slack = 256 << 20
    /// The original, a library's table, a temporary file: few at a time.
    private static let openFiles = 64
    /// Memory is given back after every so many jobs, and after each larger one.
    private static let jobsBetweenGivingBack = 16
    private static let largeJob = 128 << 20

    private let socket: MessageSocket
    private let store: Store
    private let renderer: Renderer

    /// Renders what the runner asks for until it closes the socket.
    ///
    /// Called at the top of `main`, before any thread is started: the sandbox holds this thread and
    /// those that it starts.
    ///
    /// - Parameter arguments: the words after the command.
    /// - Returns: the status to end the process with.
    /// - Throws: what keeps it from working: a person has started it, or the runner has gone.
    package static func run(_ arguments: ArraySlice<String>) throws -> Int32 {
        let socket = try MessageSocket(descriptor: descriptor)
        ParentDeath.ignoreStops()
        CrashSignals.endAtOnce()
        ProcessMemory.returnLargeBlocks()
        guard let runner = arguments.first.flatMap({ Int32($0) }),
            ParentDeath.dieWithParent(runner)
        else { return 0 }
        guard case .message(let message) = try socket.receive(),
            case .begin(let setup) = WorkerOrder(message: message)
        else { return 0 }
        let worker: RenderWorker
        do {
            let store = try Store(root: setup.cache)
            let renderer = try Renderer(settings: setup.settings, store: store)
            // What a decoder says belongs to no line of the run's; what it means is in the answers.
            StandardStream.silenceErrors()
            let sandbox = Sandbox(
                readable: Sandbox.systemFiles + [setup.originals],
                writable: [Store.temporaryFolder(of: setup.cache)],
                dataBytes: setup.settings.limits.memory + slack,
                openFiles: openFiles
            )
            try socket.send(WorkerAnswer.ready(sandbox.enter()))
            worker = RenderWorker(socket: socket, store: store, renderer: renderer)
        } catch {
            let cause = error as? RenderError
            try socket.send(
                WorkerAnswer.failed(
                    cause
                        ?? RenderError(
                            code: .environment,
                            subject: setup.cache,
                            message: "a worker cannot work here: \(error)"
                        )
                )
            )
            return 1
        }
        try worker.serve()
        return 0
    }

    private func serve() throws {
        var jobs = 0
        while case .message(let message) = try socket.receive() {
            let job: RenderJob
            switch WorkerOrder(message: message) {
            case .render(let order): job = order
            case .probe(let original, let format):
                try socket.send(facts(of: original, format: format))
                continue
            default: return
            }
            guard let (answer, memory) = answer(to: job) else { return }
            jobs += 1
            // Before the answer: the runner looks at what an idle worker keeps.
            if memory > Self.largeJob || jobs % Self.jobsBetweenGivingBack == 0 {
                ProcessMemory.giveBack()
            }
            try socket.send(answer)
        }
    }

    /// - Returns: what became of a job and the memory it needed; `nil` where the runner has gone.
    private func answer(to job: RenderJob) -> (WorkerAnswer, memory: Int)? {
        var needed = 0
        var isAlone = false
        do throws(RenderError) {
            let rendered = try renderer.render(job) { bytes throws(RenderError) in
                needed = bytes
                guard isAdmitted(needing: bytes) else {
                    isAlone = true
                    throw RenderError(
                        code: .environment,
                        subject: "",
                        message: "the runner has gone"
                    )
                }
            }
            return (.rendered(rendered), needed)
        } catch {
            // Nobody will adopt what it had staged until then.
            try? store.removeTemporaryFiles(ofProcess: ProcessFacts.identifier)
            return isAlone ? nil : (.failed(Self.blamed(error, needing: needed)), needed)
        }
    }

    /// The file is not to blame for memory that the system does not give.
    private static func blamed(_ error: RenderError, needing bytes: Int) -> RenderError {
        guard error.code == .corrupt, !ProcessMemory.canTake(bytes) else { return error }
        return RenderError(
            code: .outOfMemory,
            subject: error.subject,
            message: "the system refuses the \(bytes >> 20) MiB that rendering it may take; raise"
                + " ulimit -v and -d, or what holds the container"
        )
    }

    private func facts(of original: String, format: FileFormat) -> WorkerAnswer {
        do throws(RenderError) {
            return .probed(try renderer.probe(original: original, format: format))
        } catch {
            return .failed(error)
        }
    }

    private func isAdmitted(needing bytes: Int) -> Bool {
        guard (try? socket.send(WorkerAnswer.needs(bytes: bytes))) != nil,
            case .message(let message) = try? socket.receive(),
            case .admit = WorkerOrder(message: message)
        else { return false }
        return true
    }
}
