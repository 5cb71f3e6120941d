/// The memory that this process and those it starts can get.
package enum MachineMemory {
    /// What the machine has to give, and the control group where it has less; `nil` where /proc is
    /// not mounted.
    package static var available: Int? {
        let figures = [machine] + groups.map(available(inGroup:))
        return figures.compactMap { $0 }.min()
    }

    /// The line `MemAvailable:   1234 kB`.
    private static var machine: Int? {
        lines(of: "/proc/meminfo").first { $0.hasPrefix("MemAvailable:") }.flatMap { line in
            Int(line.filter { ("0"..."9").contains($0) }).map { $0 * 1024 }
        }
    }

    /// The folders of this process's control group and of those above it, of both versions; inside a
    /// container the innermost is at the top.
    private static var groups: [String] {
        var folders = ["/sys/fs/cgroup", "/sys/fs/cgroup/memory"]
        for line in lines(of: "/proc/self/cgroup") {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let isMemory = parts[1].split(separator: ",").contains("memory")
            guard parts[1].isEmpty || isMemory else { continue }
            var folder = (isMemory ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup") + parts[2]
            while folder.hasPrefix("/sys/fs/cgroup/"), let parent = Files.parent(of: folder) {
                folders.append(folder)
                folder = parent
            }
        }
        return folders
    }

    private static func available(inGroup folder: String) -> Int? {
        let names = [
            ("memory.max", "memory.current", "file "),
            ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_cache "),
        ]
        for (limit, usage, cache) in names {
            // "max" is no number, and no limit.
            guard let limit = number(in: "\(folder)/\(limit)"),
                let usage = number(in: "\(folder)/\(usage)")
            else { continue }
            // The file cache gives way.
            let cached = lines(of: "\(folder)/memory.stat").first { $0.hasPrefix(cache) }
            let reclaimable = cached.flatMap { Int($0.dropFirst(cache.count)) } ?? 0
            return left(of: limit, used: usage, cached: reclaimable)
        }
        return nil
    }

    /// What is left of a limit, which may be the largest number there is; the cache is counted apart
    /// from what is used, and may be more.
    package static func left(of limit: Int, used: Int, cached: Int) -> Int {
        max(0, limit - max(0, used - cached))
    }

    private static func number(in file: String) -> Int? {
        lines(of: file).first.flatMap { Int($0) }
    }

    private static func lines(of file: String) -> [String] {
        let bytes = (try? FileReader.contents(of: file, limit: 1 << 20)) ?? []
        return bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    }
}
