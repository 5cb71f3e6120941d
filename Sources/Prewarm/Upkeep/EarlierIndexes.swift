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

    private static let ending = ".sqlite"
    private var folder: String { "\(cache)/previous" }
    private var published: String { "\(cache)/index.sqlite" }

    /// Keeps the published index: called before another takes its name.
    ///
    /// One that does not say its generation is nobody's.
    func keepPublished() throws {
        guard let generation = (try? IndexReader(path: published))?.meta.generation else { return }
        let temporary = "\(Store.temporaryFolder(of: cache))/previous.sqlite"
        try Files.remove(temporary)
        do { try Files.hardLink(published, to: temporary) } catch {
            // Not every file system has links.
            let index = try Database(path: published, access: .immutable)
            try index.run("VACUUM INTO ?1", .text(temporary))
        }
        try Files.rename(
            temporary,
            to: path(of: generation),
            makingFolders: true
        )
        // A rename of one link over another of the same file leaves both names.
        try Files.remove(temporary)
    }

    /// Removes all but the one that was published before a generation: called when that has its name.
    func removeAll(butLastBefore generation: Int) throws {
        let numbers = try self.numbers()
        let kept = numbers.filter { $0 < generation }.max()
        for number in numbers where number != kept { try Files.remove(path(of: number)) }
    }

    /// Where they are: one, or two where a process has ended between two steps.
    func paths() throws -> [String] { try numbers().map(path(of:)) }

    /// What else lies there is somebody else's.
    private func numbers() throws -> [Int] {
        guard Files.exists(folder) else { return [] }
        return try Files.entries(of: folder).compactMap { name in
            guard let number = Int(name.dropLast(Self.ending.count)),
                "\(number)\(Self.ending)" == name
            else { return nil }
            return number
        }
    }

    private func path(of number: Int) -> String { "\(folder)/\(number)\(Self.ending)" }
}
