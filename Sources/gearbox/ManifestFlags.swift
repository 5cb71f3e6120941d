internal import Manifests
internal import Prewarm

/// The flags that say how the manifests of a command line are written.
enum ManifestFlags {
    private static let formats = ManifestFormat.allCases.map(\.rawValue).joined(separator: ", ")

    static let flags = [
        Flag(
            "--format",
            "FORMAT",
            "the manifests' format, if their names do not tell:\n\(formats)"
        ),
        Flag("--column", "NAME", "the column of URLs in csv, tsv and jsonl; url if not given"),
        Flag("--base", "URL", "scheme and host of an access log's paths: https://img.example.com"),
    ]

    /// The manifests of these paths; relative ones start from the folder, if one is given.
    static func manifests(
        _ arguments: Arguments,
        _ paths: [String],
        in folder: String? = nil
    ) throws -> [Pipeline.Manifest] {
        let format = try arguments.choice("--format", of: ManifestFormat.self)
        if paths.count(where: { $0 == "-" }) > 1 {
            throw UsageError(message: "standard input can be read once only: - is given twice")
        }
        if paths.isEmpty, let flag = flags.first(where: { arguments.has($0.name) }) {
            throw UsageError(message: "\(flag.name) is for manifests of the command line alone")
        }
        return try paths.map { path in
            var shape = ManifestShape(format ?? ManifestFormat(fileName: path))
            do throws(ManifestShape.Problem) {
                try shape.set(column: arguments.value("--column"), base: arguments.value("--base"))
            } catch {
                throw UsageError(message: "--\(error.key): \(path): \(error.message)")
            }
            let isRelative = folder != nil && path != "-"
            return Pipeline.Manifest(
                path: isRelative ? FilePaths.joined(folder ?? "", path) : path,
                shape: shape
            )
        }
    }
}
