import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parse } from 'yaml'

type Versions = Readonly<Record<string, string>>
interface Snapshot {
  readonly dependencies?: Versions
  readonly optionalDependencies?: Versions
}
type Resolved = Readonly<Record<string, { readonly version: string }>>
interface Importer {
  readonly dependencies?: Resolved
  readonly optionalDependencies?: Resolved
}
interface Lockfile {
  readonly importers: Readonly<Record<string, Importer>>
  readonly packages: Readonly<Record<string, { readonly resolution: { readonly integrity?: string } }>>
  readonly snapshots: Readonly<Record<string, Snapshot>>
}

/** One package that the lockfile names. */
export interface LockedPackage {
  readonly name: string
  readonly version: string
  /** Subresource integrity: `sha512-<base64>`. */
  readonly integrity: string | undefined
  /** Everything that asks for it can do without it: mostly programs for other systems, which are not there. */
  readonly optional: boolean
  /** A part asks for it itself. */
  readonly direct: boolean
  /** `name@version` of the packages that it asks for, sorted. */
  readonly needs: readonly string[]
}

export const idOf = ({ name, version }: Pick<LockedPackage, 'name' | 'version'>): string => `${name}@${version}`

/** `name@version(peers)` without its peers. */
const bare = (key: string): string => key.replace(/\(.*$/, '')

/** The key of a snapshot for what a package asks for: `1.0.0(peers)`, or another package under this name. */
const keyOf = (lockfile: Lockfile, name: string, version: string): string => {
  const key = `${name}@${version}`
  if (key in lockfile.snapshots) return key
  if (version in lockfile.snapshots) return version
  throw new Error(`the lockfile has no ${key}`)
}

interface Asked {
  readonly key: string
  readonly optional: boolean
}

/** What an importer runs with: keys of snapshots, those of the workspace's packages that it links included. */
const rootsOf = (lockfile: Lockfile, folder: string): Asked[] => {
  const { dependencies = {}, optionalDependencies = {} } = lockfile.importers[folder] ?? {}
  const roots = (all: Resolved, optional: boolean) =>
    Object.entries(all).flatMap(([name, { version }]) =>
      version.startsWith('link:')
        ? rootsOf(lockfile, posix.join(folder, version.slice('link:'.length)))
        : [{ key: keyOf(lockfile, name, version), optional }],
    )
  return [...roots(dependencies, false), ...roots(optionalDependencies, true)]
}

const askedBy = (lockfile: Lockfile, { key, optional }: Asked): Asked[] => {
  const { dependencies = {}, optionalDependencies = {} } = lockfile.snapshots[key] ?? {}
  const asked = (all: Versions, canDoWithout: boolean) =>
    Object.entries(all)
      .filter(([, version]) => !version.startsWith('link:'))
      .map(([name, version]) => ({ key: keyOf(lockfile, name, version), optional: canDoWithout }))
  return [...asked(dependencies, optional), ...asked(optionalDependencies, true)]
}

/**
 * The packages that some parts of the workspace run with, all the way down, by name; nothing that only tests and builds
 * use. @param folders of the parts, as the lockfile names them: `server`
 */
export const lockedPackages = (root: string, folders: readonly string[]): LockedPackage[] => {
  const lockfile = parse(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')) as Lockfile
  for (const folder of folders) if (!(folder in lockfile.importers)) throw new Error(`the lockfile has no ${folder}`)
  const waiting = folders.flatMap((folder) => rootsOf(lockfile, folder))
  const direct = new Set(waiting.map(({ key }) => bare(key)))
  const found = new Map<string, LockedPackage>()
  const seen = new Set<string>()
  for (let asked = waiting.pop(); asked !== undefined; asked = waiting.pop()) {
    // Seen again where it is now asked for in earnest.
    const visit = `${asked.key} ${asked.optional}`
    if (seen.has(visit)) continue
    seen.add(visit)
    const id = bare(asked.key)
    const at = id.lastIndexOf('@')
    const needs = askedBy(lockfile, asked)
    const known = found.get(id)
    found.set(id, {
      name: id.slice(0, at),
      version: id.slice(at + 1),
      integrity: lockfile.packages[id]?.resolution.integrity,
      direct: direct.has(id),
      optional: asked.optional && (known?.optional ?? true),
      needs: [...new Set([...(known?.needs ?? []), ...needs.map(({ key }) => bare(key))])].sort(),
    })
    waiting.push(...needs)
  }
  return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}
