internal import GearboxDatabase
internal import GearboxIndex
internal import Store
internal import System

/// The index before the published one, kept as `previous/17.sqlite`: what it names stays in the
/// store, for readers who have it open.
///
/// It is a second name of the file that was `index.sqlite`. Where the process ends before the next
/// index has its name, both are the same file; the one before that is still there, too.
struct EarlierIndexes {
    let cache: String

    private var folder: String { "\(cache)/previous" }
    private var published: String { "\(cache)/index.sqlite" }

    /// Keeps the published index: called before another takes its name.
    ///
    /// - Returns: its name in the folder; `nil` where there is none that says its generation.
    func keepPublished() throws -> String? {
        guard let generation = (try? IndexReader(path: published))?.meta.generation else {
            return nil
        }
        let name = "\(generation).sqlite"
        let temporary = "\(Store.temporaryFolder(of: cache))/previous.sqlite"
        try Files.remove(temporary)
        do { try Files.hardLink(published, to: temporary) } catch {
            // Not every file system has links.
            let index = try Database(path: published, access: .immutable)
            try index.run("VACUUM INTO ?1", .text(temporary))
        }
        try Files.rename(temporary, to: "\(folder)/\(name)", makingFolders: true)
        // A rename of one link over another of the same file leaves both names.
        try Files.remove(temporary)
        return name
    }

    /// Removes all but the one that was published last: called when the next one has its name.
    func removeAll(but kept: String?) throws {
        guard let kept else { return }
        for name in try Files.entries(of: folder) where name != kept {
            try Files.remove("\(folder)/\(name)")
        }
    }

    /// Where they are: one, or two where a process has ended between two steps.
    func paths() throws -> [String] {
        guard Files.exists(folder) else { return [] }
        return try Files.entries(of: folder).map { "\(folder)/\($0)" }
    }
}
