import { createDeclarations, type Declaration } from '../checks/public-exports.ts'
import type { SourceFile } from '../checks/source-tree.ts'
import { isNode, type Node, nameOf, walk } from '../fix/syntax.ts'

/** Names that the contract gives to the client: their types are in the OpenAPI document. */
export interface ContractNames {
  readonly endpoints: readonly string[]
  readonly events: readonly string[]
  readonly errors: readonly string[]
}

/** What one is compared by: not the machine's language. */
const inOrder = <T>(items: Iterable<T>, key: (item: T) => string): T[] =>
  [...items].sort((a, b) => (key(a) < key(b) ? -1 : 1))

const keyOf = ({ name, path }: Declaration): string => `${name} ${path}`

/** Where a node names a type, or the value that a class extends. */
const nameIn = (node: Node): string => {
  for (const field of ['typeName', 'expression', 'superClass', 'exprName']) {
    const name = nameOf(node[field])
    if (name !== '') return name
  }
  return ''
}

/** The names of types in a declaration. */
const namesIn = ({ statement }: Declaration): string[] => {
  const names: string[] = []
  const look = (node: Node): true => {
    names.push(nameIn(node))
    return true
  }
  look(isNode(statement['declaration']) ? statement['declaration'] : statement)
  walk(statement, look)
  return names.filter((name) => name !== '')
}

const textOf = ({ text, statement }: Declaration): string => text.slice(statement.start, statement.end)

const block = (declarations: readonly Declaration[]): string =>
  ['```ts', inOrder(declarations, keyOf).map(textOf).join('\n\n'), '```'].join('\n')

const list = (names: readonly string[]): string =>
  inOrder(names, String)
    .map((name) => `- \`${name}\``)
    .join('\n')

const head = `# What \`@integrity/client\` exports

Written by \`npm run generate\` from the sources of the client library, without their comments. A difference in this file is a
change of what integrators compile against: say so in the changelog. The types of bodies and answers are those of
[the OpenAPI document](../generated/openapi.json).`

/** Declarations that these name, and those that they name in turn, as far as the library itself declares them. */
const reachedFrom = (
  exported: readonly Declaration[],
  find: (path: string, name: string) => Declaration | undefined,
): Declaration[] => {
  const reached = new Map(exported.map((one) => [keyOf(one), one]))
  // A map gives what is added to it while it is walked.
  for (const one of reached.values())
    for (const name of namesIn(one)) {
      const found = find(one.path, name)
      if (found && !reached.has(keyOf(found))) reached.set(keyOf(found), found)
    }
  return [...reached.values()].slice(exported.length)
}

/**
 * The public interface of a library as text: what its entry exports with its types, what those name, and the contract's
 * names. `fileAt` gives the declarations of a file.
 */
export const apiReport = (
  fileAt: (path: string) => SourceFile | undefined,
  entry: string,
  { endpoints, events, errors }: ContractNames,
): string => {
  const declarations = createDeclarations(fileAt)
  const names = [...declarations.exportsOf(entry)]
  const exported = names.map(([, declaration]) => declaration)
  const renamed = names.filter(([as, { name }]) => as !== name).map(([as, { name }]) => `${as}: ${name}`)
  return `${[
    head,
    '## Exported',
    block(exported),
    ...(renamed.length > 0 ? ['## Exported under another name', list(renamed)] : []),
    '## Named by those, and not exported',
    block(reachedFrom(exported, declarations.find)),
    '## Endpoints',
    list(endpoints),
    '## Types of events',
    list(events),
    '## Codes of refusals',
    list(errors),
  ].join('\n\n')}\n`
}
