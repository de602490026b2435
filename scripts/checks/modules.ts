import { posix } from 'node:path'
import { isCode, type SourceFile } from './source-tree.ts'

/** What one statement takes from a module. `*`: all of it. */
export interface Taken {
  readonly from: string
  readonly name: string
  /** The statement passes it on under this name. */
  readonly as?: string
}

export interface Module {
  readonly path: string
  /** Names that are declared here and exported. */
  readonly exported: readonly string[]
  readonly taken: readonly Taken[]
}

const declaration =
  /^export\s+(?:declare\s+)?(?:default\s+)?(?:async\s+)?(?:const\s+\{([^}]*)\}|(?:const|let|function\*?|(?:abstract\s+)?class|interface|type|enum)\s+([A-Za-z_][\w$]*))/gm
const list =
  /^(import|export)\s+(?:type\s+)?(?:([\w$]+)\s*,?\s*)?(?:\{([^}]*)\}|\*(?:\s+as\s+([\w$]+))?)?\s*(?:from\s*['"]([^'"]+)['"])?/gm
const whole = /\bimport\(\s*['"]([^'"]+)['"]\s*\)|\bnew URL\(\s*['"](\.[^'"]+)['"]/g

interface Named {
  readonly name: string
  readonly as: string
}
const namesIn = (text: string): Named[] =>
  text
    .replaceAll(/\/\/[^\n]*/g, '')
    .split(',')
    .map((part) => part.trim().replace(/^type\s+/, ''))
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', as = name] = part.split(/\s+as\s+/)
      return { name, as }
    })

const resolved = (path: string, from: string): string =>
  from.startsWith('.') ? posix.join(posix.dirname(path), from.replace(/\?.*$/, '')) : from

const declaredIn = (text: string): string[] =>
  [...text.matchAll(declaration)].flatMap(([, destructured, name]) =>
    name ? [name] : (destructured ?? '').split(',').flatMap((part) => /([\w$]+)\s*$/.exec(part.trim())?.[1] ?? []),
  )

const statementOf = (path: string, match: RegExpMatchArray): { exported: string[]; taken: Taken[] } => {
  const [, verb, single, names, , from] = match
  const nothing = { exported: [], taken: [] }
  if (from === undefined) {
    return verb === 'export' && names !== undefined
      ? { exported: namesIn(names).map(({ as }) => as), taken: [] }
      : nothing
  }
  const source = resolved(path, from)
  const passed = verb === 'export'
  const listed = namesIn(names ?? '').map(({ name, as }) => ({ from: source, name, ...(passed && { as }) }))
  if (names === undefined && !single)
    return { exported: [], taken: [{ from: source, name: '*', ...(passed && { as: '*' }) }] }
  return { exported: [], taken: [...listed, ...(single && !passed ? [{ from: source, name: 'default' }] : [])] }
}

/** What a file exports and what it takes from others, by reading its statements. */
const readModule = ({ path, text }: SourceFile): Module => {
  const statements = [...text.matchAll(list)].map((match) => statementOf(path, match))
  const wholes = [...text.matchAll(whole)].map(([, lazy, url]) => ({
    from: resolved(path, lazy ?? url ?? ''),
    name: '*',
  }))
  return {
    path,
    exported: [...declaredIn(text), ...statements.flatMap(({ exported }) => exported)],
    taken: [...statements.flatMap(({ taken }) => taken), ...wholes],
  }
}

export const readModules = (files: readonly SourceFile[]): Module[] =>
  files.filter(({ path }) => isCode(path)).map(readModule)
