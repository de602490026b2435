import { isNode, type Node, nameOf, parse } from '../fix/syntax.ts'
import { isTest, type StructureCheck } from './source-tree.ts'

const most = 2

const nodesOf = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : [])

/** `export const name = (…) => …` and `export function name(…)`, as a name and its function. */
const exportedFunctions = (statement: Node): [string, Node][] => {
  const { declaration } = statement
  if (statement.type !== 'ExportNamedDeclaration' || !isNode(declaration)) return []
  const declared: [string, unknown][] =
    declaration.type === 'VariableDeclaration'
      ? nodesOf(declaration['declarations']).map(({ id, init }) => [nameOf(id), init])
      : [[nameOf(declaration['id']), declaration]]
  return declared.filter((one): one is [string, Node] => isNode(one[1]) && Array.isArray(one[1]['params']))
}

/** More are told apart by their place alone: two ids change it, and it still compiles. */
export const servicesTakeCallAndInput: StructureCheck = {
  name: 'a service takes its call and one input',
  find: (files) =>
    files
      .filter(({ path }) => /^server\/src\/domains\/.*\.service\.ts$/.test(path) && !isTest(path))
      .flatMap(({ path, text }) =>
        nodesOf(parse(path, text)['body'])
          .flatMap(exportedFunctions)
          .flatMap(([name, { params }]) => {
            const count = nodesOf(params).length
            if (count <= most) return []
            return [
              { path, message: `${name} takes ${count} parameters; name what comes behind the call: (call, input)` },
            ]
          }),
      ),
}
