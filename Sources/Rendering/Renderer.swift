internal import GearboxURL
internal import Imaging
package import Store

// Rendering owns the way from an original's file to the files of its variants: the plan (which
// pixels are read, which rasters are made of which, how each is encoded), the limits, and the
// carrying out. It must not know of manifests, runs or networks, and decides nothing about URLs:
// what a variant is comes as directives, and its size from GearboxURL's geometry.

/// Makes the variants of originals: one synchronous call for each original, from any thread.
///
/// A thread that has rendered calls `Renderer.threadWillExit` before it ends.
package struct Renderer: Sendable {
    package let settings: RenderSettings
    private let store: Store

    /// Starts libvips and allows the decoders that the settings name.
    ///
    /// - Throws: a `RenderError` with the code `environment` where libvips does not start.
    package init(settings: RenderSettings, store: Store) throws(RenderError) {
        self.settings = settings
        self.store = store
        do {
            try ImagingRuntime.start()
            for format in settings.loaders {
                guard let loader = format.loader, loader.isUntrusted else { continue }
                try ImagingRuntime.allow(loader)
            }
        } catch {
            throw RenderError(error, original: "libvips")
        }
    }

    /// Frees what libvips keeps for the calling thread.
    package static func threadWillExit() { ImagingRuntime.threadWillExit() }

    /// Reads an original's header and holds it against the limits; decodes no pixel.
    package func probe(original: String, format: FileFormat) throws(RenderError) -> SourceFacts {
        let loader = try loader(for: format, original: original)
        do {
            let (_, length) = try ImageFile.head(of: original, bytes: 0)
            guard length <= settings.limits.bytes else {
                throw RenderError(
                    code: .tooLarge,
                    subject: original,
                    message: "the file has \(length) bytes, more than the limit of "
                        + "\(settings.limits.bytes); raise limits.bytes"
                )
            }
            // The limits come first: a bomb may well be cut short, too.
            let header = try Image.open(original, loader: loader, acceptsTruncated: true).header
            let facts = SourceFacts(
                format: format,
                size: Size(width: header.width, height: header.height),
                hasAlpha: header.hasAlpha,
                isGrey: header.isGrey,
                frames: loader == .gif || loader == .webp ? header.pages : 1,
                losesAnimation: try UnreadAnimation.isIn(original, loader: loader),
                isProgressive: header.isProgressive,
                isTurned: header.orientation != 1,
                pixelBytes: header.bands * header.bitDepth / 8,
                bytes: length
            )
            try check(facts, original: original)
            if format == .jpeg, facts.isProgressive { try checkScans(of: original) }
            return facts
        } catch let error as RenderError {
            throw error
        } catch let error as ImagingError {
            throw RenderError(error, original: original)
        } catch {
            preconditionFailure("only the errors of imaging and rendering are thrown here")
        }
    }

    /// Makes everything that a job wants.
    ///
    /// - Parameters:
    ///   - job: the original and what is wanted of it.
    ///   - admission: called before the first pixel is decoded with the bytes of memory that it will
    ///     take; may wait until they are there, or refuse. Time counts from its return.
    /// - Returns: the facts, the variants, whose files are staged, and the wanted variants that
    ///   could not be made.
    /// - Throws: where nothing can be made: the original is refused or broken, time is up, or the
    ///   store does not take files.
    package func render(
        _ job: RenderJob,
        admission: (_ bytes: Int) throws(RenderError) -> Void = { _ in }
    ) throws(RenderError) -> RenderedSource {
        let facts = try probe(original: job.original, format: job.format)
        var plan = RenderPlan(facts: facts, wanted: job.wanted, settings: settings)
        if let due = job.due { plan = plan.making(only: due) }
        let memory = MemoryEstimate(plan).bytes
        guard memory <= settings.limits.memory else {
            throw RenderError(
                code: .tooMuchMemory,
                subject: job.original,
                message: "rendering it takes about \(memory >> 20) MiB, more than the limit of "
                    + "\(settings.limits.memory >> 20) MiB; raise limits.memory"
            )
        }
        try admission(memory)
        do {
            let work = RenderWork(
                plan: plan,
                original: job.original,
                loader: try loader(for: job.format, original: job.original),
                settings: settings,
                store: store
            )
            return try work.carriedOut()
        } catch let error as RenderError {
            throw error
        } catch let error as ImagingError {
            throw RenderError(error, original: job.original)
        } catch {
            preconditionFailure("only the errors of imaging and rendering are thrown here")
        }
    }

    private func loader(
        for format: FileFormat,
        original: String
    ) throws(RenderError) -> Loader {
        guard format != .empty else {
            throw RenderError(code: .empty, subject: original, message: "the file is empty")
        }
        // HEIC and AVIF are two codings in one container, read by one decoder.
        let isAllowed =
            settings.loaders.contains(format)
            || format == .avif && settings.loaders.contains(.heif)
        guard isAllowed, let loader = format.loader else {
            throw RenderError(
                code: .unsupportedType,
                subject: original,
                message: "unsupported type: \(format.rawValue)"
            )
        }
        return loader
    }

    private func checkScans(of original: String) throws {
        let scans = try JPEGScans.count(of: original)
        guard scans > JPEGScans.limit else { return }
        throw RenderError(
            code: .corrupt,
            subject: original,
            message: "the file has \(scans) scans, which no picture needs"
        )
    }

    private func check(_ facts: SourceFacts, original: String) throws(RenderError) {
        guard facts.size.pixels <= settings.limits.pixels else {
            throw RenderError(
                code: .tooManyPixels,
                subject: original,
                message: "the picture is \(facts.size.width)x\(facts.size.height), more than the "
                    + "limit of \(settings.limits.pixels) pixels; raise limits.pixels"
            )
        }
        guard facts.frames <= settings.limits.frames else {
            throw RenderError(
                code: .tooManyFrames,
                subject: original,
                message: "the animation has \(facts.frames) frames, more than the limit of "
                    + "\(settings.limits.frames); raise limits.frames"
            )
        }
    }
}
