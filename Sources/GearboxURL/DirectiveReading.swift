/// What the items of one query ask for, gathered item by item.
///
/// The same for every dialect: a dialect turns its grammar into these values.
struct DirectiveReading {
    /// The size that was asked for, in its normal form: no mode where both sides are 0.
    struct RequestedSize: Equatable {
        var mode: Mode?
        var box: Size

        init(mode: Mode, width: Int, height: Int) {
            box = Size(width: width, height: height)
            self.mode = box.isZero ? nil : mode
        }
    }

    private(set) var size: RequestedSize?
    private(set) var quality: Int?
    private(set) var format: OutputFormat?
    private(set) var enlarge: Bool?
    private(set) var axis: Axis?
    private(set) var interlace: Bool?
    private(set) var keepsAnimation: Bool?
    private(set) var keepsMetadata: Bool?
    /// Whether any item was in the dialect's words, whatever it said.
    var isPresent = false
    /// The first reason why the URL must not be rewritten.
    private(set) var opaqueReason: OpaqueReason?
    /// The item that gave the reason.
    private(set) var opaqueItem: QueryItem?

    mutating func refuse(_ reason: OpaqueReason, _ item: QueryItem?) {
        guard opaqueReason == nil else { return }
        opaqueReason = reason
        opaqueItem = item
    }

    mutating func setSize(_ value: RequestedSize?, _ item: QueryItem) {
        note(Self.merge(&size, value), item)
    }

    /// A quality after the default was filled in, so that 0 and the default are one meaning.
    mutating func setQuality(_ value: Int?, _ item: QueryItem) {
        note(Self.merge(&quality, value), item)
    }

    mutating func setFormat(_ value: OutputFormat?, _ item: QueryItem) {
        note(Self.merge(&format, value), item)
    }

    mutating func setEnlarge(_ value: Bool?, _ item: QueryItem) {
        note(Self.merge(&enlarge, value), item)
    }

    mutating func setAxis(_ value: Axis?, _ item: QueryItem) {
        note(Self.merge(&axis, value), item)
    }

    mutating func setInterlace(_ value: Bool?, _ item: QueryItem) {
        note(Self.merge(&interlace, value), item)
    }

    mutating func setKeepsAnimation(_ value: Bool?, _ item: QueryItem) {
        note(Self.merge(&keepsAnimation, value), item)
    }

    mutating func setKeepsMetadata(_ value: Bool?, _ item: QueryItem) {
        note(Self.merge(&keepsMetadata, value), item)
    }

    /// Takes over what one operation string asks for; the same again is one, another a conflict.
    mutating func adopt(_ operation: DirectiveReading, _ item: QueryItem, defaultQuality: Int) {
        defer { isPresent = true }
        if let reason = operation.opaqueReason { return refuse(reason, item) }
        guard isPresent, opaqueReason == nil else {
            if opaqueReason == nil { self = operation }
            return
        }
        let earlier = directives(defaultQuality: defaultQuality)
        if operation.directives(defaultQuality: defaultQuality) != earlier {
            refuse(.conflict, item)
        }
    }

    @inline(__always)
    private mutating func note(_ reason: OpaqueReason?, _ item: QueryItem) {
        isPresent = true
        if let reason { refuse(reason, item) }
    }

    /// The same meaning twice is one; anything else twice, and a value outside the grammar, is a
    /// reason not to rewrite the URL.
    @inline(__always)
    private static func merge<Value: Equatable>(
        _ field: inout Value?,
        _ value: Value?
    ) -> OpaqueReason? {
        guard let value else { return .value }
        if let earlier = field, earlier != value { return .conflict }
        field = value
        return nil
    }

    /// What is asked for before gears; `nil` where no directive is left.
    func directives(defaultQuality: Int) -> Directives? {
        let directives = Directives(
            mode: size?.mode,
            box: size?.box ?? .zero,
            quality: quality ?? defaultQuality,
            format: format,
            enlarge: enlarge ?? false,
            axis: axis ?? .center,
            interlace: interlace ?? false,
            keepsAnimation: keepsAnimation ?? false
        )
        let isLeft =
            directives.mode != nil || quality != nil || format != nil || directives.interlace
            || directives.keepsAnimation
        return isLeft ? directives : nil
    }
}
