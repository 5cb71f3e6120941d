/// What an eviction has done, or would do.
package struct EvictionReport: Sendable, Hashable {
    /// Of the store, as the state has it.
    package var bytesBefore = 0
    package var bytesAfter = 0
    package var sources = 0
    package var variants = 0
    /// Sources that the last manifests name: they will be made again.
    package var wantedSources = 0
    /// Originals, and the bytes of them that were there before.
    package var originals = 0
    package var originalBytes = 0
    package var originalBytesBefore = 0
    /// Those of them that went so that there was room to work.
    package var originalsForRoom = 0
    /// What the disk has back now.
    package var removedFiles = 0
    package var removedBytes = 0
    /// Files that the index before the published one names.
    package var waitingFiles = 0
    /// The generation that was published without them; `nil` where none had to be.
    package var generation: Int?
}
