import { isNode, type Node, nameOf, walk } from '../fix/syntax.ts'
import { createDeclarations, type Declaration, declaredIn, publicEntries } from './public-exports.ts'
import type { Finding, SourceFile, StructureCheck } from './source-tree.ts'

const functionTypes = new Set(['FunctionDeclaration', 'ArrowFunctionExpression', 'FunctionExpression'])

/** The function that a declaration makes, if it makes one. */
const functionOf = (node: Node): Node | undefined => {
  const value = isNode(node['init']) ? node['init'] : node
  return functionTypes.has(value.type) ? value : undefined
}

/** The name of the interface that a function gives, as it says itself. */
const resultOf = (made: Node): string => {
  const annotation = isNode(made['returnType']) ? made['returnType']['typeAnnotation'] : undefined
  return isNode(annotation) ? nameOf(annotation['typeName']) : ''
}

/** The docstring right above a place of a text. */
const docAbove = (text: string, at: number): string => {
  const before = text.slice(0, at).trimEnd()
  return before.endsWith('*/') ? before.slice(before.lastIndexOf('/**')) : ''
}

const hasExample = (text: string, at: number): boolean => /^[ \t/]*\*+ *@example\b/m.test(docAbove(text, at))

/** The methods of an interface, those of objects in it included. */
const methodsOf = ({ statement }: Declaration): Node[] => {
  const methods: Node[] = []
  walk(statement, (node) => {
    if (node.type === 'TSMethodSignature') methods.push(node)
    return true
  })
  return methods
}

const findIn = (files: readonly SourceFile[], entry: string): Finding[] => {
  const texts = new Map(files.map((file) => [file.path, file]))
  const declarations = createDeclarations((path) => texts.get(path))
  const exported = [...declarations.exportsOf(entry)]
  const shown = exported.flatMap(([name, declaration]) => {
    const declared = declaredIn(declaration.statement).find(({ id }) => nameOf(id) === declaration.name)
    const made = declared && functionOf(declared)
    if (declared?.type !== 'ClassDeclaration' && made === undefined) return []
    const own = { name, path: declaration.path, has: hasExample(declaration.text, declaration.statement.start) }
    const given = made && declarations.find(declaration.path, resultOf(made))
    if (given === undefined) return [own]
    const methods = methodsOf(given).map((method) => ({
      name: `${given.name}.${nameOf(method['key'])}`,
      path: given.path,
      has: hasExample(given.text, method.start),
    }))
    return [own, ...methods]
  })
  return shown.filter(({ has }) => !has).map(({ name, path }) => ({ path, message: `${name} has no @example` }))
}

export const exportsHaveExamples: StructureCheck = {
  name: 'each function and class of the client library has an example, and so has each method of what a function gives',
  find: (files) => publicEntries(files).flatMap((entry) => findIn(files, entry)),
}
