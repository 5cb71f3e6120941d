/// Where path and query stand in the bytes that hold them in their normal form.
struct TargetRanges {
    var path: Range<Int>
    var query: Range<Int>?
    /// Whether the query holds a `|`, raw or encoded.
    var hasPipe = false
}
