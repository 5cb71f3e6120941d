import CSystem
import Glibc

/// How a child stays bound to the process that has started it, and to it alone.
package enum ParentDeath {
    /// Has this process killed when its parent ends.
    ///
    /// Called before `Sandbox.enter()`, after which it cannot be. A `ChildProcess` is started by a
    /// thread that lives as long as its process, on which this depends.
    ///
    /// - Parameter parent: the number of the process that has started this one.
    /// - Returns: whether it still is the parent. Where it is not, it has ended before this call:
    ///   end this process, too.
    package static func dieWithParent(_ parent: Int32) -> Bool {
        csystem_die_with_parent() == 0 && getppid() == parent
    }

    /// Ignores SIGINT, SIGTERM, SIGHUP and SIGPIPE: a terminal or a service manager sends the first
    /// three to every process, and it is for the parent to decide what becomes of its children.
    ///
    /// Called before any thread is started.
    package static func ignoreStops() { csystem_ignore_stops() }

    /// The parent's number.
    package static var parent: Int32 { getppid() }
}
