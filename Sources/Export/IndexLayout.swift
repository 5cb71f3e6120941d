internal import GearboxIndex

/// A smaller cache directory for an app's bundle: an index of the selected variants and their files.
struct IndexLayout: Layout {
    let name = "index"
    let summary = "a smaller index with its files, for GearboxClient and gearbox resolve"
    let recipe = 1
    let products = ["index.sqlite", "store"]

    func fill(_ folder: ExportFolder, from contents: ExportContents) throws {
        try contents.catalog.forEachFile { file, bytes in
            try contents.checkInterruption()
            try folder.place(file, bytes: bytes, at: file, dates: .any)
        }
        let draft = folder.path("index-draft.sqlite")
        try contents.catalog.writeExcerpt(to: folder.path("index.sqlite"), by: draft)
        try folder.remove("index-draft.sqlite")
        try folder.adopt("index.sqlite")
        folder.count(names: contents.catalog.count)
    }
}
