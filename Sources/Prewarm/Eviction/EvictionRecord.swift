/// What decides when a source goes, with all that was made of it: the smaller record goes first.
///
/// A night's manifests are a scan, the worst case for a plain LRU: a burst of pictures that are asked
/// for once would drive out those that are asked for every night. So sources that one night has named
/// go first, first in, first out; those that several nights have named are protected from them, and
/// among themselves the one goes that was named longest ago. What came in the same night goes by
/// hits.
package struct EvictionRecord: Sendable, Hashable, Comparable {
    package var id: Int
    /// How many nights' manifests have named it.
    package var nights: Int
    /// The numbers of the first of them and of the last.
    package var firstNight: Int
    package var lastNight: Int
    /// Those of the last night, and half of those before.
    package var hits: Int

    package init(id: Int, nights: Int, firstNight: Int, lastNight: Int, hits: Int) {
        self.id = id
        self.nights = nights
        self.firstNight = firstNight
        self.lastNight = lastNight
        self.hits = hits
    }

    package var isProtected: Bool { nights > 1 }

    package static func < (left: EvictionRecord, right: EvictionRecord) -> Bool {
        left.rank < right.rank
    }

    private var rank: (Int, Int, Int, Int) {
        (isProtected ? 1 : 0, isProtected ? lastNight : firstNight, hits, id)
    }

    /// The same order for rows of `source`: so many are sorted on the disk.
    package static let order = """
        nights > 1, CASE WHEN nights > 1 THEN night ELSE first_night END, hits + earlier_hits, id
        """
}
