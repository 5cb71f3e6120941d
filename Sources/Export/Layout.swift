/// How a client library, or a server, wants its directory.
package protocol Layout: Sendable {
    /// What `--layout` calls it.
    var name: String { get }
    /// What it serves, in a few words.
    var summary: String { get }
    /// Counts the recipes that this name has had: a directory of an older one is of no use to a
    /// client that expects the newer.
    var recipe: Int { get }
    /// What it makes in the target folder, beside the record of the export.
    var products: [String] { get }

    /// Whether a client chooses its keys, and so `ExportOptions` say what they are.
    var takesKeys: Bool { get }

    /// Fills the folder.
    ///
    /// A name that the layout cannot hold is noted with its reason.
    func fill(_ folder: ExportFolder, from contents: ExportContents) throws
}

extension Layout {
    package var takesKeys: Bool { false }
}

/// The layouts by name.
package enum Layouts {
    package static let all: [any Layout] = [
        SDWebImageLayout(), KingfisherLayout(), NukeLayout(), GlideLayout(), CoilLayout(),
        FrescoLayout(.integer), FrescoLayout(.floatingPoint), PINRemoteImageLayout(),
        NginxLayout(), IndexLayout(),
    ]

    /// Finds a layout; a name without a version is its newest.
    package static func named(_ name: String) -> (any Layout)? {
        all.last { $0.name == name || $0.name.hasPrefix(name + "-") }
    }

    /// What `--layout` takes.
    package static var names: [String] {
        var names: [String] = []
        for name in all.map(\.name) {
            let family = String(name.prefix { $0 != "-" })
            if family != name && !names.contains(family) { names.append(family) }
            names.append(name)
        }
        return names
    }
}
