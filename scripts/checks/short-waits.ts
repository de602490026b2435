import { isNode, type Node, nameOf, parse, walk } from '../fix/syntax.ts'
import type { SourceFile, StructureCheck } from './source-tree.ts'

const isWait = ({ type, callee }: Node): boolean =>
  type === 'CallExpression' &&
  isNode(callee) &&
  nameOf(callee['object']) === 'vi' &&
  /^wait(?:For|Until)$/.test(nameOf(callee['property']))

const saysHowLong = (call: Node): boolean => {
  let says = false
  walk(call, (node) => {
    if (node.type === 'Property' && nameOf(node['key']) === 'timeout') says = true
    return true
  })
  return says
}

const findIn = ({ path, text }: SourceFile): number => {
  if (!/\bvi\s*\.wait(?:For|Until)\b/.test(text)) return 0
  let found = 0
  walk(parse(path, text), (node) => {
    if (isWait(node) && !saysHowLong(node)) found += 1
    return true
  })
  return found
}

/** Vitest's own second is over before a loaded machine has had its turn; `expect.poll` waits as long as its project says. */
export const waitsSayHowLong: StructureCheck = {
  name: 'a test that waits says how long, or leaves that to its project: expect.poll, or vi.waitFor with a timeout',
  find: (files) =>
    files
      .filter(({ path }) => /\.tsx?$/.test(path))
      .flatMap((file) => {
        const found = findIn(file)
        return found === 0 ? [] : [{ path: file.path, message: `${found} × vi.waitFor without a timeout` }]
      }),
}
