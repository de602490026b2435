import { applyEdits, type Edit, isNode, type Node, nameOf, parse, walk } from './syntax.ts'

/**
 * Writes function declarations as arrow functions in constants. Left as they are: generators, overloads, assertions, those
 * with a `this` of their own, and those that run before the line at which a constant would have its value.
 */
export const arrowFunctions = (path: string, text: string): string => {
  if (!/\bfunction\b/.test(text)) return text
  const edits: Edit[] = []
  const look = (block: Node) => {
    const statements = statementsOf(block)
    for (const [index, statement] of statements.entries()) {
      const { type } = statement
      const declared = type === 'ExportNamedDeclaration' ? statement['declaration'] : statement
      if (!isNode(declared) || declared.type !== 'FunctionDeclaration') continue
      const next = text.slice(statement.end).trimStart()
      if (!canBeArrow(declared, statements) || runsEarlier(index, statements) || continuesLine.test(next)) continue
      edits.push(...toArrow(path, text, declared))
    }
  }
  const program = parse(path, text)
  look(program)
  walk(program, (node) => {
    if (node.type === 'BlockStatement') look(node)
    return true
  })
  return edits.length === 0 ? text : arrowFunctions(path, applyEdits(text, outermost(edits)))
}

// Without semicolons, this would go on with the arrow function before it.
const continuesLine = /^(?:[[(`+-]|\/(?![/*]))/

// A function inside another one is found again in the next round.
const outermost = (edits: readonly Edit[]): Edit[] =>
  edits.filter((edit) => !edits.some((other) => other !== edit && other.start <= edit.start && edit.end < other.end))

const statementsOf = (block: Node): Node[] => (block['body'] as unknown[]).filter(isNode)

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

const canBeArrow = (declared: Node, statements: readonly Node[]): boolean => {
  if (declared['generator'] === true || !isNode(declared['body'])) return false
  const name = nameOf(declared['id'])
  const overloads = statements.filter((one) => {
    const inner = isNode(one['declaration']) ? one['declaration'] : one
    return inner.type === 'TSDeclareFunction' && nameOf(inner['id']) === name
  })
  if (overloads.length > 0) return false
  let fits = true
  walk(declared, (node) => {
    if (node.type === 'ThisExpression' || nameOf(node) === 'arguments' || nameOf(node) === 'this') fits = false
    if (node.type === 'TSTypePredicate' && node['asserts'] === true) fits = false
    return node.type !== 'FunctionExpression' && node.type !== 'FunctionDeclaration' && node.type !== 'ClassBody'
  })
  return fits
}

/** Whether a statement before the one at `index` may call it, itself or by another function of the block. */
const runsEarlier = (index: number, statements: readonly Node[]): boolean => {
  const wanted = namesDeclared(statements[index] as Node)[0] ?? ''
  const lazy = new Map(
    statements.filter(isLazy).flatMap((one) => namesDeclared(one).map((name) => [name, one] as const)),
  )
  const reached = new Set<string>()
  const follow = (name: string): true => {
    if (name === '' || reached.has(name)) return true
    reached.add(name)
    const called = lazy.get(name)
    if (called) walk(called, (inner) => follow(nameOf(inner)))
    return true
  }
  const reach = (node: Node): void =>
    walk(node, (inner, parent) => (functionTypes.has(inner.type) && waits(parent) ? false : follow(nameOf(inner))))
  for (const one of statements.slice(0, index)) if (!isLazy(one)) reach(one)
  return reached.has(wanted)
}

const later = new Set(['it', 'test', 'beforeAll', 'beforeEach', 'afterAll', 'afterEach'])

/** Whether a function that stands here is only kept for later: not handed to a call, which may run it at once. */
const waits = (parent: Node): boolean => {
  if (parent.type !== 'CallExpression' && parent.type !== 'NewExpression') return true
  return later.has(nameOf(parent['callee']))
}

const declarationOf = (statement: Node): Node =>
  statement.type === 'ExportNamedDeclaration' && isNode(statement['declaration']) ? statement['declaration'] : statement

const namesDeclared = (statement: Node): string[] => {
  const declared = declarationOf(statement)
  const many = declared.type === 'VariableDeclaration' ? (declared['declarations'] as Node[]) : [declared]
  return many.map((one) => nameOf(one['id'])).filter((name) => name !== '')
}

/** What runs nothing where it stands: functions, types and imports. */
const isLazy = (statement: Node): boolean => {
  const declared = declarationOf(statement)
  if (functionTypes.has(declared.type) || /^(?:TS|Import|ExportNamed|ExportAll)/.test(declared.type)) return true
  if (declared.type !== 'VariableDeclaration') return false
  return (declared['declarations'] as Node[]).every(({ init }) => isNode(init) && functionTypes.has(init.type))
}

const toArrow = (path: string, text: string, declared: Node): Edit[] => {
  const id = declared['id'] as Node
  const body = declared['body'] as Node
  const isAsync = declared['async'] === true
  const parameters = text.slice(id.end, body.start).trimEnd()
  // In a .tsx file a lone <T> would be an element.
  const generic = path.endsWith('x') ? parameters.replace(/^<(\w+)>/, '<$1,>') : parameters
  const value = `${isAsync ? 'async ' : ''}${generic} => `
  return [
    { start: declared.start, end: body.start, text: `const ${nameOf(id)} = ${value}` },
    ...expressionInstead(text, body),
  ]
}

/** A body that only returns is its expression. */
const expressionInstead = (text: string, body: Node): Edit[] => {
  const [only, ...more] = statementsOf(body)
  if (more.length > 0 || only?.type !== 'ReturnStatement' || !isNode(only['argument'])) return []
  const { start, end, type } = only['argument']
  const around = text.slice(body.start + 1, only.start) + text.slice(end, body.end - 1)
  if (around.trim() !== '' || text.slice(only.start, start).trim() !== 'return') return []
  const wrap = type === 'SequenceExpression' || text[start] === '{'
  return [
    { start: body.start, end: start, text: wrap ? '(' : '' },
    { start: end, end: body.end, text: wrap ? ')' : '' },
  ]
}
