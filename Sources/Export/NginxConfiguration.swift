/// The configuration that has nginx find the files of a tree: see `NginxName`, which says what the
/// regular expressions do.
enum NginxConfiguration {
    /// What belongs in the block `http`.
    ///
    /// - Parameters:
    ///   - tree: the absolute path of the tree.
    ///   - folders: the folder of each origin by the names of its hosts.
    /// - Returns: the file's text.
    static func http(tree: String, folders: [(host: String, folder: String)]) -> String {
        """
        # Written by gearbox export; belongs in the block http. The one line to edit where the tree moves:
        map "" $gearbox_tree { default "\(tree)"; }

        # The folder of the origin that a host belongs to; a host as it came may have a port.
        map $http_host $gearbox_origin {
            default $gearbox_named_origin;
        \(hosts(folders.filter { $0.host.contains(":") }))}
        map $host $gearbox_named_origin {
            default "-";
        \(hosts(folders.filter { !$0.host.contains(":") }))}

        # The folders of the path. A space behind those that the file system would not take as a name.
        map $request_uri $gearbox_folder_0 { default "/ - /"; "~^((?:/[^/?]*)*/)[^/?]*(?:\\?|$)" "$1"; }
        \(foldersSteps())
        map $gearbox_folder_\(NginxName.oddParts) $gearbox_folder { default "$gearbox_folder_\(NginxName.oddParts)"; "~/\\.{0,2}/" "/ - /"; }

        # The last part of the path, and the query with spaces for its slashes.
        map $request_uri $gearbox_last { default ""; "~^(?:/[^/?]*)*/([^/?]*)(?:\\?|$)" "$1"; }
        map $request_uri $gearbox_query_0 { default ""; "~^[^?]*\\?$" "#"; "~^[^?]*\\?(.+)$" "$1"; }
        \(slashSteps())

        # The file, in pieces that are short enough for the file system.
        map "$gearbox_last?$gearbox_query_\(NginxName.slashSteps.count)" $gearbox_file {
            default " - ";
        \(pieces())}

        """
    }

    /// What belongs in a block `server`.
    ///
    /// The true format is known by the folder that has the file: neither the URL nor its extension
    /// would tell.
    static func server(formats: [String]) -> String {
        var text = "# Written by gearbox export; belongs in a block server.\n"
        for (index, format) in formats.enumerated() {
            let place = index == 0 ? "/" : "@gearbox_\(format)"
            let next = index + 1 < formats.count ? "@gearbox_\(formats[index + 1])" : "=404"
            text += """
                location \(place) {
                    root $gearbox_tree/\(format);
                    types { }
                    default_type \(contentTypes[format] ?? "application/octet-stream");
                    try_files /$gearbox_origin$gearbox_folder$gearbox_file \(next);
                }

                """
        }
        return text
    }

    private static func foldersSteps() -> String {
        (1...NginxName.oddParts).map { step in
            let value = "$gearbox_folder_\(step - 1)"
            return "map \(value) $gearbox_folder_\(step) { default \"\(value)\"; "
                + "\"~^(.*/)(\\.{0,2})(/.*)$\" \"$1$2 $3\"; }"
        }.joined(separator: "\n")
    }

    private static func slashSteps() -> String {
        NginxName.slashSteps.enumerated().map { step, count in
            let value = "$gearbox_query_\(step)"
            let pattern = String(repeating: "([^/]*)/", count: count)
            let parts = (1...count + 1).map { "$\($0)" }.joined(separator: " ")
            return "map \(value) $gearbox_query_\(step + 1) { default \"\(value)\"; "
                + "\"~^\(pattern)(.*)$\" \"\(parts)\"; }"
        }.joined(separator: "\n")
    }

    private static func pieces() -> String {
        (0..<NginxName.pieceCount).map { whole in
            let length = NginxName.pieceLength
            let pattern = String(repeating: "([^/]{\(length)})", count: whole)
            let name = (0..<whole).map { "$\($0 + 1) / " }.joined()
            return "    \"~^\(pattern)([^/]{1,\(length)})$\" \"\(name)$\(whole + 1)\";\n"
        }.joined()
    }

    /// Short names are looked up by their hash, for which long ones have no room.
    private static func hosts(_ folders: [(host: String, folder: String)]) -> String {
        folders.map { host, folder in
            guard host.utf8.count > 40 else {
                // A backslash makes a plain word of one that means something here.
                let isWord = ["default", "hostnames", "include", "volatile"].contains(host)
                return
                    "    \"\(isWord || host.hasPrefix("~") ? "\\\\" : "")\(host)\" \"\(folder)\";\n"
            }
            let pattern = host.map { $0.isLetter || $0.isNumber ? "\($0)" : "\\\($0)" }.joined()
            return "    \"~*^\(pattern)$\" \"\(folder)\";\n"
        }.joined()
    }

    /// The folder of a format, and its word in the names of locations.
    static func format(_ name: String) -> String { contentTypes[name] == nil ? "other" : name }

    private static let contentTypes = [
        "jpg": "image/jpeg", "png": "image/png", "webp": "image/webp", "gif": "image/gif",
        "avif": "image/avif", "heif": "image/heif", "tiff": "image/tiff", "bmp": "image/bmp",
        "svg": "image/svg+xml", "ico": "image/x-icon", "jxl": "image/jxl", "jp2": "image/jp2",
    ]
}
