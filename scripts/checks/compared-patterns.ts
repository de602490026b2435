import { isNode, type Node, nameOf, parse, walk } from '../fix/syntax.ts'
import type { SourceFile, StructureCheck } from './source-tree.ts'

const comparing = /^(?:toMatchObject|toEqual|toStrictEqual|toContainEqual|toHaveBeenCalledWith|objectContaining)$/

const isComparison = ({ type, callee }: Node): boolean =>
  type === 'CallExpression' && isNode(callee) && comparing.test(nameOf(callee['property']))

/** Patterns that stand in an object or a list, not those that another call is given. */
const patternsIn = (comparison: Node): string[] => {
  const found: string[] = []
  walk(comparison, (node) => {
    const { regex } = node as { regex?: { pattern?: unknown } }
    if (regex) found.push(`/${String(regex.pattern)}/`)
    return node.type !== 'CallExpression' || isComparison(node)
  })
  return found
}

const findIn = ({ path, text }: SourceFile): string[] => {
  // Most files have none, and parsing all would take a second.
  if (!/[:[,] \//.test(text) || !/toMatchObject|toEqual|objectContaining/.test(text)) return []
  const found = new Set<string>()
  walk(parse(path, text), (node) => {
    if (isComparison(node)) for (const pattern of patternsIn(node)) found.add(pattern)
    return true
  })
  return [...found]
}

/** A pattern has no fields of its own, so `toMatchObject` finds it in any text. */
export const patternsAreMatched: StructureCheck = {
  name: 'a test compares a text with a pattern by expect.stringMatching, never by the pattern itself',
  find: (files) =>
    files
      .filter(({ path }) => /\.(?:test|test-support)\.tsx?$|\/test-support\//.test(path) && /\.tsx?$/.test(path))
      .flatMap((file) =>
        findIn(file).map((pattern) => ({ path: file.path, message: `${pattern} is compared as an object` })),
      ),
}
