import Glibc

/// The words that the process was started with.
package enum CommandWords {
    /// Their very bytes, the program's name first; empty where /proc is not mounted, as Swift reads
    /// them from /proc/self/cmdline.
    ///
    /// `CommandLine.arguments` has U+FFFD for what is not UTF-8, and so another URL.
    package static func all() -> [[UInt8]] {
        var words: [[UInt8]] = []
        for index in 0..<Int(CommandLine.argc) {
            guard let word = unsafe CommandLine.unsafeArgv[index] else { break }
            words.append(unsafe Array(UnsafeRawBufferPointer(start: word, count: strlen(word))))
        }
        return words
    }
}
