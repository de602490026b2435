import { posix } from 'node:path'
import { importsOf, isCode, isPackage, type SourceFile } from './source-tree.ts'

/** The files of the tree that each of its code files imports itself. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

// A bundler's import may leave the ending to it, and has one file for each platform then.
const endings = ['', '.ts', '.tsx', '.web.ts', '.web.tsx', '.native.ts', '.native.tsx']

/** The files that an import may mean. */
export const withEnding = (imported: string, known: { has(path: string): boolean }): readonly string[] =>
  endings.map((ending) => imported + ending).filter((path) => known.has(path))

/** An import of a package of the workspace counts as one of each of its files: its entries are not told apart. */
export const importGraph = (files: readonly SourceFile[]): ImportGraph => {
  const known = new Set(files.map(({ path }) => path))
  const packages = workspacePackages(files)
  const targets = (imported: string): readonly string[] => {
    const found = withEnding(imported, known)
    if (found.length > 0) return found
    return packages.find(({ name }) => isPackage(imported, name))?.files ?? []
  }
  return new Map(
    files.filter(({ path }) => isCode(path)).map((file) => [file.path, [...new Set(importsOf(file).flatMap(targets))]]),
  )
}

/** All that a file loads, itself included. `follow` may stop the walk at a file, which then counts as not loaded. */
export const reachableFrom = (
  start: string,
  graph: ImportGraph,
  follow: (path: string) => boolean = () => true,
): Set<string> => {
  const reached = new Set([start])
  const waiting = [start]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop())
    for (const next of graph.get(path) ?? []) {
      if (reached.has(next) || !follow(next)) continue
      reached.add(next)
      waiting.push(next)
    }
  return reached
}

const workspacePackages = (files: readonly SourceFile[]) =>
  files.flatMap(({ path, text }) => {
    const folder = posix.dirname(path)
    if (posix.basename(path) !== 'package.json' || folder === '.') return []
    const { name } = JSON.parse(text) as { name?: string }
    const inside = files.map((file) => file.path).filter((file) => file.startsWith(`${folder}/src/`))
    return name === undefined ? [] : [{ name, files: inside }]
  })
