/// Sentences about what is asked for and what becomes of it.
extension Explanation {
    mutating func explainDirectives(
        _ request: Request,
        _ reading: DirectiveReading,
        _ rules: CanonicalRules
    ) {
        explainDropped(reading)
        guard let asked = request.requested, let given = request.directives else {
            return say("No directive is left: this is the plain source.")
        }
        explainSize(asked, given, rules.sizes)
        explainQuality(reading.quality, asked, given)
        if let format = given.format {
            say("The format is \(format.rawValue).")
        } else {
            say("No format is asked for: the source's own decides.")
        }
        if given.enlarge { say("A smaller source is enlarged.") }
        if given.axis != .center {
            say("The crop stands at \(given.axis.horizontal)_\(given.axis.vertical).")
        }
        if given.interlace { say("The file is interlaced.") }
        if given.keepsAnimation { say("An animation is kept.") }
    }

    /// What leaves the key, and why.
    private mutating func explainDropped(_ reading: DirectiveReading) {
        let mode = reading.size?.mode
        if reading.size != nil && mode == nil { say("A size of 0 by 0 is no size.") }
        switch reading.enlarge {
        case true? where mode == nil: say("enlarge was dropped: there is no size.")
        case false?: say("enlarge=0 was dropped: it is the default.")
        default: break
        }
        if let axis = reading.axis {
            if mode != .y {
                say("axis was dropped: only mode y crops.")
            } else if axis == .center {
                say("axis=5_5 was dropped: it is the default.")
            }
        }
        if reading.interlace == false { say("interlace=0 was dropped: it is the default.") }
        switch reading.keepsAnimation {
        case true? where mode == .y: say("tostatic=0 was dropped: mode y is always still.")
        case false?: say("tostatic=1 was dropped: it is the default.")
        default: break
        }
        if reading.keepsMetadata != nil {
            say("stripmeta was dropped: metadata is a matter of policy, not of the key.")
        }
    }

    private mutating func explainSize(
        _ asked: Directives,
        _ given: Directives,
        _ ladder: SizeLadder
    ) {
        guard let mode = asked.mode else { return say("No size is asked for: the whole source.") }
        say("Asked for: mode \(mode.rawValue) (\(meaning(of: mode))), \(text(of: asked.box)).")
        let longer = asked.box.longerSide
        let gear = given.box.longerSide
        let top = ladder.gears[ladder.gears.count - 1]
        if longer > top {
            let what =
                switch ladder.overflow {
                case .step: "the next multiple of 256, at most 4096"
                case .passthrough: "the size itself"
                case .clamp: "the top gear"
                }
            say(
                "The longer side \(longer) is above the top gear \(top); overflow is "
                    + "\(ladder.overflow.rawValue), so \(what): \(text(of: given.box))."
            )
        } else if longer == gear {
            say("The longer side \(longer) is a gear.")
        } else {
            say("The longer side \(longer) goes up to the gear \(gear): \(text(of: given.box)).")
        }
    }

    private mutating func explainQuality(
        _ quality: Int?,
        _ asked: Directives,
        _ given: Directives
    ) {
        let origin = quality == nil ? "No quality is asked for, which means" : "The quality is"
        let gear =
            asked.quality == given.quality
            ? "which is a gear" : "which goes up to the gear \(given.quality)"
        say("\(origin) \(asked.quality), \(gear).")
    }

    private func text(of box: Size) -> String {
        switch (box.width, box.height) {
        case (0, _): "\(box.height) high, as wide as it comes"
        case (_, 0): "\(box.width) wide, as high as it comes"
        default: "\(box.width) by \(box.height)"
        }
    }

    private func meaning(of mode: Mode) -> String {
        switch mode {
        case .x: "fit inside the box"
        case .y: "fill the box and crop"
        case .z: "cover the box, no crop"
        }
    }
}
