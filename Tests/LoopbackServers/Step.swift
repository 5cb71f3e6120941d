import Foundation

/// What a scripted server does with one request.
package struct Step: Encodable, Sendable {
    package var status: Int?
    package var headers: [[String]]?
    /// Base 64.
    package var body: String?
    /// How often the body is sent.
    package var times: Int?
    package var chunked: Bool?
    package var gzip: Bool?
    /// A Content-Length that is not the body's.
    package var length: Int?
    /// No Content-Length: the connection's end is the body's.
    package var noLength: Bool?
    /// How much of the body is sent before the connection is closed.
    package var cutAfter: Int?
    /// Seconds before the head, and between pieces of the body.
    package var delay: Double?
    package var pause: Double?
    package var piece: Int?
    package var close: Bool?
    /// The connection is reset in place of an answer.
    package var reset: Bool?
    /// Bytes that are sent as the whole answer; base 64.
    package var raw: String?

    package init() {}

    /// An answer with a body.
    package static func body(_ bytes: [UInt8], _ headers: [(String, String)] = []) -> Step {
        var step = Step()
        step.body = Data(bytes).base64EncodedString()
        step.headers = headers.map { [$0.0, $0.1] }
        return step
    }

    package static func status(
        _ status: Int,
        _ text: String = "",
        _ headers: [(String, String)] = []
    ) -> Step {
        body(Array(text.utf8), headers).with { $0.status = status }
    }

    package static func redirect(to location: String, status: Int = 302) -> Step {
        .status(status, "moved", [("Location", location)])
    }

    package static func raw(_ bytes: [UInt8]) -> Step {
        Step().with { $0.raw = Data(bytes).base64EncodedString() }
    }

    package static var reset: Step { Step().with { $0.reset = true } }

    /// The same with something changed.
    package func with(_ change: (inout Step) -> Void) -> Step {
        var step = self
        change(&step)
        return step
    }
}
