import { posix } from 'node:path'
import type { SourceFile } from './source-tree.ts'

/** A package of this workspace. */
export interface Manifest {
  readonly path: string
  /** Its folder, '' for the root. */
  readonly folder: string
  readonly name: string
  readonly exports: Readonly<Record<string, string>>
  readonly dependencies: readonly string[]
  readonly devDependencies: readonly string[]
}

interface PackageJson {
  readonly name: string
  readonly exports?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

export const readManifests = (files: readonly SourceFile[]): Manifest[] =>
  files
    .filter(({ path }) => posix.basename(path) === 'package.json')
    .map(({ path, text }) => {
      const { name, exports = {}, dependencies = {}, devDependencies = {} } = JSON.parse(text) as PackageJson
      const folder = posix.dirname(path).replace(/^\.$/, '')
      return {
        path,
        folder,
        name,
        exports,
        dependencies: Object.keys(dependencies),
        devDependencies: Object.keys(devDependencies),
      }
    })

/** The package that a file belongs to: the one with the longest folder. */
export const packageOf = (manifests: readonly Manifest[], path: string): Manifest | undefined =>
  manifests
    .filter(({ folder }) => folder === '' || path.startsWith(`${folder}/`))
    .sort((a, b) => b.folder.length - a.folder.length)[0]

/** The file that an import of a package of this workspace means; `undefined` for any other. */
export const workspaceFile = (manifests: readonly Manifest[], imported: string): string | undefined => {
  const found = manifests.find(({ name }) => imported === name || imported.startsWith(`${name}/`))
  if (!found) return undefined
  const entry = `.${imported.slice(found.name.length)}`
  for (const [pattern, target] of Object.entries(found.exports)) {
    const [before = '', after] = pattern.split('*')
    if (after === undefined ? entry !== pattern : !(entry.startsWith(before) && entry.endsWith(after))) continue
    const middle = after === undefined ? '' : entry.slice(before.length, entry.length - after.length)
    return posix.join(found.folder, target.replace('*', middle))
  }
  return undefined
}
