internal import GearboxIndex

extension Resolution {
    /// What is to be done to a stored picture before it is shown: scale first, then crop.
    public struct Transform: Sendable, Hashable {
        /// The size to scale to in pixels; `nil`: not at all.
        public var scale: PixelSize?
        /// What to cut from the scaled picture; `nil`: nothing.
        public var crop: PixelRectangle?

        /// `nil` where nothing is to be done.
        init?(_ recipe: Recipe) {
            guard !recipe.isEmpty else { return nil }
            scale = recipe.scale.map { PixelSize($0) }
            crop = recipe.crop.map { PixelRectangle($0) }
        }
    }
}
