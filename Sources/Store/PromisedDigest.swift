package import Digest

/// A digest that bytes must turn out to have, by a name for those who do not import Digest.
package typealias PromisedDigest = ContentDigest
