internal import Rendering
internal import Store
internal import Synchronization
internal import System

/// The workers of a run: started when they are needed, used again, replaced when they fail.
///
/// What a decoder does to its process costs one source here, never the run.
final class RenderWorkers: Sendable {
    /// After so many jobs a worker is replaced: what its libraries leak goes with it.
    private static let jobsOfOne = 1_000
    /// A worker that keeps more than this between two jobs is replaced, and one that keeps a quarter
    /// of its limit beside what it began with: the next job needs that.
    private static let keptBytes = 200 << 20
    /// How long to wait before a worker is started again that has ended, or hung, while it started.
    private static let waitsForStart: [Duration] = [.milliseconds(100), .seconds(1)]

    private let program: String
    private let setup: WorkerSetup
    private let store: Store
    private let memory: SharedMemory
    private let pool = Mutex(Pool())
    private let enforced = Mutex<Sandbox.Enforcement?>(nil)

    /// - Parameters:
    ///   - program: the file of gearbox.
    ///   - count: how many work at a time at most.
    ///   - settings: how they render.
    ///   - store: takes what they make.
    ///   - originals: what they read.
    init(
        of program: String,
        count: Int,
        settings: RenderSettings,
        store: Store,
        originals: Store
    ) {
        self.program = program
        setup = WorkerSetup(
            settings: settings,
            cache: store.root,
            originals: originals.path(of: originals.folder)
        )
        self.store = store
        // The rest of the machine is there for others: the file cache, the database, the server.
        let available = MachineMemory.available.map { $0 / 2 } ?? Int.max
        memory = SharedMemory(total: min(count * settings.limits.memory, available))
    }

    private struct Pool {
        var idle: [WorkerProcess] = []
        /// Those that are idle and those at work.
        var count = 0
        var lost = 0
    }

    /// How many workers had to be replaced since they crashed, were ended, hung or grew too large.
    var lostCount: Int { pool.withLock { $0.lost } }

    /// What the workers may not do; `nil` where none was needed.
    var enforcement: Sandbox.Enforcement? { enforced.withLock { $0 } }

    /// Renders an original and takes its variants' files into the store.
    ///
    /// Waits for the worker: called on a thread that may block.
    ///
    /// - Throws: `RenderError` about the original, or about what ends the run.
    func render(_ job: RenderJob) throws -> RenderedSource {
        do {
            return try attempt(job, on: rested() ?? fresh(), isLast: false)
        } catch is WorkerEnded {
            // It may not have been this job's fault: a second one, on a worker that nobody has used.
            return try attempt(job, on: fresh(), isLast: true)
        }
    }

    /// Ends all workers.
    ///
    /// None may be at work.
    func shutDown() {
        let workers = pool.withLock { pool in
            defer { pool.idle = [] }
            return pool.idle
        }
        for worker in workers { retire(worker) }
    }

    private struct WorkerEnded: Error {}

    private func attempt(
        _ job: RenderJob,
        on worker: WorkerProcess,
        isLast: Bool
    ) throws -> RenderedSource {
        let outcome = worker.outcome(of: job, memory: memory)
        switch outcome {
        case .rendered(let source):
            do throws(StoreError) {
                let adopted = try source.adopted(by: store)
                pool.withLock { $0.idle.append(worker) }
                return adopted
            } catch {
                retire(worker)
                if error.code == .stagedLost, !isLast { throw WorkerEnded() }
                let code: RenderError.Code =
                    if error.stopsTheRun { .storeFailed } else {
                        error.code == .stagedLost ? .unreadable : .crashed
                    }
                throw RenderError(code: code, subject: job.original, message: "\(error)")
            }
        case .failed(let error):
            pool.withLock { $0.idle.append(worker) }
            throw error
        case .ended, .timedOut, .outgrew, .confused, .probed:
            retire(worker)
            pool.withLock { $0.lost += 1 }
            let limits = setup.settings.limits
            if case .ended(let end) = outcome, !isLast, !end.wasLarge(limits) {
                throw WorkerEnded()
            }
            throw RenderError(outcome, of: job, limits)
        }
    }

    /// A worker that has worked before and may go on.
    private func rested() -> WorkerProcess? {
        let memory = setup.settings.limits.memory
        let kept = min(Self.keptBytes, MemoryEstimate.standing + memory / 4)
        while let worker = pool.withLock({ $0.idle.popLast() }) {
            let isFresh =
                worker.jobCount < Self.jobsOfOne && (worker.residentBytes ?? 0) <= kept
            if isFresh { return worker }
            retire(worker)
        }
        return nil
    }

    /// A worker that nobody has used; where none can be started, one that has become idle.
    ///
    /// - Throws: `RenderError` where there is no worker at all.
    private func fresh() throws -> WorkerProcess {
        var waits = Self.waitsForStart[...]
        while true {
            do { return try started() } catch {
                if let wait = waits.popFirst() {
                    pause(for: wait)
                    continue
                }
                while pool.withLock({ $0.count > 0 }) {
                    if let worker = rested() { return worker }
                    pause(for: .milliseconds(20))
                }
                throw error
            }
        }
    }

    private func started() throws(RenderError) -> WorkerProcess {
        let worker = try WorkerProcess(program: program, setup: setup)
        enforced.withLock { $0 = worker.enforcement }
        pool.withLock { $0.count += 1 }
        return worker
    }

    /// Ends a worker and removes what it has left unfinished.
    private func retire(_ worker: WorkerProcess) {
        worker.end()
        pool.withLock { $0.count -= 1 }
        try? store.removeTemporaryFiles(ofProcess: worker.identifier)
    }
}

extension ChildEnd {
    /// Whether it ended near the bound of its memory: then an allocation that failed is the likeliest
    /// cause of a crash.
    func wasLarge(_ limits: RenderSettings.Limits) -> Bool {
        isCrash && (peakResidentBytes ?? 0) > limits.memory / 4 * 3
    }
}

extension RenderError {
    /// What a worker's end means for the original that it was at.
    init(
        _ outcome: WorkerProcess.Outcome,
        of job: RenderJob,
        _ limits: RenderSettings.Limits
    ) {
        let code: Code
        let message: String
        switch outcome {
        case .timedOut:
            code = .timedOut
            message = "rendering took longer than limits.seconds allows; its worker was stopped"
        case .outgrew(let bytes):
            code = .outOfMemory
            message = "its worker grew to \(bytes >> 20) MiB, more than limits.memory allows"
        case .ended(let end) where end.wasLarge(limits):
            code = .outOfMemory
            message = "its worker \(end) near the bound that limits.memory sets"
        case .ended(let end) where end.isCrash:
            code = .crashed
            message =
                "the decoder crashed: its worker \(end), twice; not tried again until the "
                + "file or the limits change"
        case .ended(let end):
            if case .signal = end.cause {
                code = .killed
                message =
                    "its worker \(end), twice: by the system for want of memory, or by a person"
            } else {
                code = .crashed
                message = "its worker \(end), twice"
            }
        default:
            code = .crashed
            message = "its worker went wrong and was stopped"
        }
        self.init(code: code, subject: job.original, message: message)
    }
}
