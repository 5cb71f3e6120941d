internal import CVips
internal import Synchronization

// Imaging owns every contact with libvips: opening files with the loader that the caller names,
// bringing pixels to one standard form (8-bit sRGB or grey, with or without alpha), resampling them
// to exact sizes and encoding them. It is the only importer of CVips. It must not know of gears,
// manifests, stages or stores, nor decide which picture is made in which size.

/// libvips as this process uses it: started once, without a cache, one thread an image.
package enum ImagingRuntime {
    /// What libvips holds at this moment; for leak tests.
    package struct Usage: Hashable, Sendable {
        package var objects: Int
        package var bytes: Int
        package var files: Int

        package init(objects: Int, bytes: Int, files: Int) {
            self.objects = objects
            self.bytes = bytes
            self.files = files
        }
    }

    /// Starts libvips; every later call does nothing.
    ///
    /// All loaders are blocked but the hardened ones and those that `allow` names, so that no file
    /// reaches an exotic decoder.
    package static func start() throws(ImagingError) {
        guard started else {
            throw ImagingError(
                code: .startFailed,
                subject: "libvips",
                message: "libvips does not start; check that libvips42 is installed whole"
            )
        }
    }

    /// Unblocks a loader for the whole process.
    package static func allow(_ loader: Loader) throws(ImagingError) {
        try start()
        unsafe vips_operation_block_set(loader.className, 0)
    }

    /// Frees what libvips keeps for the calling thread.
    ///
    /// Every thread that used this library calls it before it ends; where libvips was never started
    /// it would follow a null pointer.
    package static func threadWillExit() {
        if isRunning.withLock({ $0 }) { vips_thread_shutdown() }
    }

    package static var usage: Usage {
        Usage(
            objects: Int(cvips_live_objects()),
            bytes: Int(vips_tracked_get_mem()),
            files: Int(vips_tracked_get_files())
        )
    }

    private static let isRunning = Mutex(false)

    private static let started: Bool = {
        // Decoders that need the whole picture at once would put it into a temporary file; the
        // limit on pixels already bounds it.
        unsafe g_setenv("VIPS_DISC_THRESHOLD", "8g", 0)
        guard unsafe vips_init("gearbox") == 0 else { return false }
        cvips_silence()
        // The cache is keyed on file names: a rewritten file would give its old picture.
        vips_cache_set_max(0)
        vips_cache_set_max_mem(0)
        vips_cache_set_max_files(0)
        vips_concurrency_set(1)
        vips_block_untrusted_set(1)
        unsafe vips_operation_block_set("VipsForeignLoad", 1)
        for loader in Loader.allCases where !loader.isUntrusted {
            unsafe vips_operation_block_set(loader.className, 0)
        }
        isRunning.withLock { $0 = true }
        return true
    }()
}
