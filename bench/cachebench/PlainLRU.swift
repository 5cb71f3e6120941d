/// What people would use instead: the least recently used picture leaves.
final class PlainLRU {
    private final class Node {
        let picture: Int
        let cost: Int
        weak var newer: Node?
        var older: Node?

        init(picture: Int, cost: Int) {
            self.picture = picture
            self.cost = cost
        }
    }

    private let limit: Int
    private var cost = 0
    private var nodes: [Int: Node] = [:]
    private var newest: Node?
    private var oldest: Node?

    init(cost limit: Int) { self.limit = limit }

    /// Asks for a picture and takes it in where it is not held.
    ///
    /// - Returns: whether it was held.
    func use(_ picture: Int, cost: Int) -> Bool {
        if let node = nodes[picture] {
            unlink(node)
            link(node)
            return true
        }
        let node = Node(picture: picture, cost: cost)
        nodes[picture] = node
        link(node)
        self.cost += cost
        while self.cost > limit, let last = oldest {
            unlink(last)
            nodes[last.picture] = nil
            self.cost -= last.cost
        }
        return false
    }

    private func link(_ node: Node) {
        node.newer = nil
        node.older = newest
        newest?.newer = node
        newest = node
        if oldest == nil { oldest = node }
    }

    private func unlink(_ node: Node) {
        let (newer, older) = (node.newer, node.older)
        newer?.older = older
        older?.newer = newer
        if newest === node { newest = older }
        if oldest === node { oldest = newer }
        node.older = nil
    }
}
