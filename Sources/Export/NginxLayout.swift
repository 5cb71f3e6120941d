internal import GearboxIndex

/// A tree from which an nginx answers canonical URLs and aliases, and the configuration for it.
struct NginxLayout: Layout {
    let name = "nginx"
    let summary = "files and configuration with which an nginx answers the URLs"
    let recipe = 1
    let products = ["tree", "http.conf", "server.conf"]

    func fill(_ folder: ExportFolder, from contents: ExportContents) throws {
        let tree = "\(contents.target)/tree"
        guard tree.utf8.allSatisfy({ $0 >= 0x20 && !Array("\"$\\".utf8).contains($0) }) else {
            throw ExportError(
                code: .badPath,
                subject: contents.target,
                message: "a configuration of nginx cannot name it; use a path without $, \" and \\"
            )
        }
        try folder.makeFolder("tree")
        var formats: [String: Int] = [:]
        try contents.catalog.forEachName { name in
            try contents.checkInterruption()
            let format = NginxConfiguration.format(name.format)
            formats[format, default: 0] += 1
            for request in NginxName.requests(for: name.key) {
                do {
                    try place(name, for: request, as: format, in: folder, formats)
                } catch let refusal as Refusal {
                    folder.refuse(request, of: name, refusal)
                }
            }
        }
        let folders = contents.catalog.hosts.flatMap { origin, hosts in
            hosts.map { (host: $0, folder: Self.folder(of: origin)) }
        }
        try folder.write(
            NginxConfiguration.http(tree: tree, folders: folders.sorted { $0.host < $1.host }),
            at: "http.conf"
        )
        // A request looks for the most frequent format first.
        let order = formats.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        try folder.write(NginxConfiguration.server(formats: order), at: "server.conf")
    }

    private func place(
        _ name: IndexedName,
        for request: String,
        as format: String,
        in folder: ExportFolder,
        _ formats: [String: Int]
    ) throws {
        let path = Self.folder(of: name.origin) + (try NginxName.path(of: request))
        // Only the encoded form of one key can be another key.
        if request != name.key {
            for other in formats.keys where other != format {
                if folder.holds("tree/\(other)/\(path)") { throw Refusal.taken }
            }
        }
        try folder.place(name, at: "tree/\(format)/\(path)", dates: .any)
    }

    /// The folder of an origin: its name, without what means something to a path or to nginx.
    private static func folder(of origin: String) -> String {
        let isPlain = !origin.utf8.allSatisfy { Array("-.".utf8).contains($0) }
        let kept = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.".utf8)
        return origin.escaped(with: UInt8(ascii: "=")) { isPlain && kept.contains($0) }
    }
}
