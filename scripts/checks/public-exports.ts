import { posix } from 'node:path'
import { isNode, type Node, nameOf, parse } from '../fix/syntax.ts'
import { readManifests } from './packages.ts'
import type { SourceFile } from './source-tree.ts'

/** What integrators install. Its `./*` is for this workspace: the package that they get has no such entry. */
const published = '@integrity/client'

/** The files that integrators import, by their paths from the root. */
export const publicEntries = (files: readonly SourceFile[]): string[] =>
  readManifests(files)
    .filter(({ name }) => name === published)
    .flatMap(({ folder, exports }) => Object.values(exports).map((target) => posix.join(folder, target)))
    .filter((path) => !path.includes('*'))

/** A declaration at the top of a file, and the statement that holds it. */
export interface Declaration {
  readonly name: string
  readonly path: string
  readonly text: string
  readonly statement: Node
}

interface Import {
  readonly path: string
  readonly name: string
}

interface Module {
  readonly declared: ReadonlyMap<string, Declaration>
  readonly imports: ReadonlyMap<string, Import>
  /** By the name under which others see it. */
  readonly passed: ReadonlyMap<string, Import>
  readonly passedWhole: readonly string[]
}

const nodesIn = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : [])

/** What a statement declares: `export const a = …` is the constant. */
export const declaredIn = (statement: Node): Node[] => {
  const inner = isNode(statement['declaration']) ? statement['declaration'] : statement
  return inner.type === 'VariableDeclaration' ? nodesIn(inner['declarations']) : [inner]
}

const textIn = (node: unknown): string => (isNode(node) && typeof node['value'] === 'string' ? node['value'] : '')

const readModule = ({ path, text }: SourceFile): Module => {
  const declared = new Map<string, Declaration>()
  const imports = new Map<string, Import>()
  const passed = new Map<string, Import>()
  const passedWhole: string[] = []
  for (const statement of nodesIn(parse(path, text)['body'])) {
    const from = textIn(statement['source'])
    const source = from.startsWith('.') ? posix.join(posix.dirname(path), from) : from === '' ? path : undefined
    for (const name of declaredIn(statement).map(({ id }) => nameOf(id)))
      if (name !== '') declared.set(name, { name, path, text, statement })
    // What a library declares is the library's interface.
    if (source === undefined) continue
    if (statement.type === 'ExportAllDeclaration') passedWhole.push(source)
    for (const { imported, local, exported } of nodesIn(statement['specifiers'])) {
      if (exported === undefined) imports.set(nameOf(local), { path: source, name: nameOf(imported) })
      else passed.set(nameOf(exported), { path: source, name: nameOf(local) })
    }
  }
  return { declared, imports, passed, passedWhole }
}

const isExported = ({ statement }: Declaration): boolean => statement.type === 'ExportNamedDeclaration'

/** Finds declarations over files. `fileAt` gives a file by its path from the root. */
export const createDeclarations = (fileAt: (path: string) => SourceFile | undefined) => {
  const modules = new Map<string, Module | undefined>()
  const moduleAt = (path: string): Module | undefined => {
    if (!modules.has(path)) {
      const file = fileAt(path)
      modules.set(path, file && readModule(file))
    }
    return modules.get(path)
  }

  const find = (path: string, name: string): Declaration | undefined => {
    const module = moduleAt(path)
    const other = module?.passed.get(name) ?? module?.imports.get(name)
    return module?.declared.get(name) ?? (other && find(other.path, other.name))
  }

  const exportsOf = (path: string): ReadonlyMap<string, Declaration> => {
    const module = moduleAt(path)
    const own = [...(module?.declared ?? [])].filter(([, declaration]) => isExported(declaration))
    const whole = (module?.passedWhole ?? []).flatMap((other) => [...exportsOf(other)])
    const passed = [...(module?.passed ?? [])].flatMap(([as, { path: from, name }]) => {
      const found = find(from, name)
      return found ? [[as, found] as const] : []
    })
    return new Map([...whole, ...passed, ...own])
  }

  return {
    /** What a name means in a file: declared there, or where the import that brings it leads. */
    find,
    /** All that a file exports, by the names under which it does. */
    exportsOf,
  }
}
