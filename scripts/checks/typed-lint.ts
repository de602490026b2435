import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { importGraph, reachableFrom } from './import-graph.ts'
import { isCode, type SourceFile } from './source-tree.ts'

/** For each code file, a hash of all that its findings can depend on: every file that it loads, and the settings. */
export type Fingerprints = Readonly<Record<string, string>>

// What every file's types and findings hang on.
const isSetting = (path: string) =>
  path === '.oxlintrc.json' ||
  path === 'pnpm-lock.yaml' ||
  /(?:^|\/)(?:package\.json|tsconfig[^/]*\.json)$/.test(path) ||
  path.endsWith('.d.ts')

const hashOf = (parts: Iterable<string>): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('base64url')
}

export const fingerprints = (files: readonly SourceFile[]): Fingerprints => {
  const own = new Map(files.map(({ path, text }) => [path, hashOf([path, text])]))
  const settings = hashOf(files.filter(({ path }) => isSetting(path)).map(({ path }) => own.get(path) ?? ''))
  const graph = importGraph(files)
  return Object.fromEntries(
    files
      .filter(({ path }) => isCode(path))
      .map(({ path }) => {
        const loaded = [...reachableFrom(path, graph)].sort().map((file) => own.get(file) ?? '')
        return [path, hashOf([settings, ...loaded])]
      }),
  )
}

/** The files that were not found clean as they are now, with all that they load. */
export const notKnownClean = (now: Fingerprints, clean: Fingerprints): string[] =>
  Object.keys(now).filter((path) => clean[path] !== now[path])

const stampFile = (root: string) => join(root, '.tsbuild', 'typed-lint.json')

/** What the last lint without findings had seen; nothing when there was none. */
export const readClean = (root: string): Fingerprints => {
  try {
    return JSON.parse(readFileSync(stampFile(root), 'utf8')) as Fingerprints
  } catch {
    return {}
  }
}

export const writeClean = (root: string, clean: Fingerprints): void => {
  const file = stampFile(root)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(clean))
}
