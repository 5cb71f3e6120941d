/// Why a cache directory is not exported.
package struct ExportError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable, Hashable {
        /// What is asked for names something that the index does not have.
        case unknownOrigin, unknownHost
        /// The keys of several origins would share one name space.
        case severalOrigins
        /// No variant is selected.
        case nothingSelected
        /// There is something at the target that no export made.
        case notAnExport
        /// The target is the cache directory that is read, in it or around it.
        case overCache
        /// The target is where a file system is mounted: nothing can take its place.
        case mountPoint
        /// The target cannot be named in a configuration.
        case badPath
        /// Files that the index names are not in the store.
        case filesMissing
        /// The user asked to stop.
        case interrupted
    }

    package var code: Code
    /// The path, or the name as given.
    package var subject: String
    /// What happened and what to do, in one line.
    package var message: String

    package init(code: Code, subject: String, message: String) {
        self.code = code
        self.subject = subject
        self.message = message
    }

    /// Whether another command line would do.
    package var isUsage: Bool {
        switch code {
        case .unknownOrigin, .unknownHost, .severalOrigins, .notAnExport, .overCache,
            .mountPoint, .badPath:
            true
        case .nothingSelected, .filesMissing, .interrupted: false
        }
    }

    package var description: String { "\(subject): \(message)" }
}
