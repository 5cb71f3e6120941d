internal import GearboxIndex
internal import Store

/// Makes the directory that a client library, or a server, reads from what a cache directory has
/// published.
///
/// Export owns the recipes: how each library names, dates and lists its files. It reads an index and a
/// store, and must not know how they came to be. It takes no lock: the index that it has open stays
/// whole, and so do the files that it names while nothing is evicted.
package struct Exporter {
    private let cache: String
    private let layout: any Layout
    private let options: ExportOptions
    /// The program's, for the record.
    private let version: String

    package init(cache: String, layout: any Layout, options: ExportOptions, version: String) {
        self.cache = cache
        self.layout = layout
        self.options = options
        self.version = version
    }

    /// Exports to a folder, in place of an earlier export, whole or not at all.
    package func export(to path: String) throws -> ExportReport {
        let target = try ExportTarget(path, reading: cache)
        try target.sweep()
        let catalog = try IndexCatalog(
            path: "\(cache)/index.sqlite",
            selection: options.selection
        )
        let contents = try ExportContents(catalog: catalog, options: options, target: target.path)
        let folder = try ExportFolder(of: Store(lookingAt: cache), for: target)
        try layout.fill(folder, from: contents)
        try folder.checkComplete()
        let record = ExportRecord.text(
            layout,
            options,
            folder.report,
            contents: try ExportRecord.contents(of: folder.path("")),
            generation: catalog.meta.generation,
            version: version
        )
        try folder.write(record, at: ExportRecord.name)
        try folder.finish(at: target)
        return folder.report
    }
}
