/// The form with every name that a request has here.
struct WholeRequest: RequestForm {
    @inline(__always)
    func simple<Grammar: Dialect>(
        _ dialect: Grammar.Type,
        _ origin: OriginEntry,
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        _ normal: borrowing Span<UInt8>,
        _ ranges: TargetRanges,
        _ kept: KeptParameters,
        requested: Directives?,
        directives: Directives?
    ) -> Request {
        var layout = RequestLayout()
        let capacity = RequestLayout.simpleCapacity(parts, ranges)
        let written = [UInt8](capacity: capacity) { output in
            layout.writeSimple(
                given,
                parts,
                normal,
                ranges.path,
                dialect,
                directives,
                kept,
                &output
            )
        }
        return .reading(
            written.span,
            layout,
            .simple,
            given,
            parts,
            origin: origin.name,
            directives: directives,
            requested: requested,
            unknownNames: kept.names
        )
    }

    func verbatim(
        _ reading: QueryReading,
        _ origin: OriginEntry,
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        _ normal: borrowing Span<UInt8>,
        _ ranges: TargetRanges
    ) -> Request {
        let isUnrelated = reading.isUnrelated
        var layout = RequestLayout()
        let capacity = RequestLayout.verbatimCapacity(given)
        let written = [UInt8](capacity: capacity) { output in
            if reading.isSigned {
                layout.writeSigned(
                    given,
                    parts,
                    normal,
                    ranges,
                    origin.filter,
                    isUnrelated: isUnrelated,
                    &output
                )
            } else {
                layout.writeOpaque(given, parts, normal, ranges.path, &output)
            }
        }
        return .reading(
            written.span,
            layout,
            reading.isSigned ? .signed : .opaque,
            given,
            parts,
            origin: origin.name,
            unknownNames: isUnrelated ? [] : reading.kept.names
        )
    }
}
