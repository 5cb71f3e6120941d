internal import Rendering

/// What is done to every picture before it is encoded.
extension PipelineReader {
    func steps(_ variants: Section) -> [Step] {
        variants.list("steps") { tree, path in step(tree, path) } ?? []
    }

    /// `{ blur: { sigma: 2 } }`, or the name alone where the defaults will do.
    private func step(_ tree: JSONTree, _ path: String) -> Step? {
        let name: String
        let parameters: JSONTree
        switch tree {
        case .string(let text):
            (name, parameters) = (text, .object([:]))
        case .object(let members):
            guard let member = members.first, members.count == 1 else {
                problems.add(path, "a step has one name, as in { blur: { sigma: 2 } }")
                return nil
            }
            (name, parameters) = member
        default:
            problems.add(path, "\(tree.kind) is not a step such as { blur: { sigma: 2 } }")
            return nil
        }
        guard let kind = StepKind.named(name) else {
            let names = StepKind.all.map(\.name).joined(separator: ", ")
            problems.add(path, "there is no step \"\(name)\"; there are \(names)")
            return nil
        }
        let section = Section(parameters, path: "\(path).\(name)", problems: problems)
        let values = kind.parameters.map { parameter in
            section.number(parameter.name, default: parameter.standard, in: parameter.range)
        }
        section.finish()
        // Every parameter is read before one of them can be missed.
        let known = values.compactMap(\.self)
        return known.count == values.count ? Step(kind, known) : nil
    }
}
