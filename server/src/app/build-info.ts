import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isSourceTree } from '../kernel/admin-name.ts'
import { migrations } from '../migrations/index.ts'

/** What runs here: so that of two processes somebody can tell which is the newer one. */
export interface BuildInfo {
  /** Of the release, from the package. */
  readonly version: string
  /** The commit it was built from, twelve hex digits; `unknown` where neither a package nor a history says. */
  readonly commit: string
  /** The newest migration that it knows. */
  readonly migration: string
}

const here = (path: string): URL => new URL(`../../${path}`, import.meta.url)

/** A package has it in a file; a working copy has its history. */
const commitOf = (): string => {
  try {
    return (JSON.parse(readFileSync(here('build.json'), 'utf8')) as { commit: string }).commit
  } catch {
    // A package that is within somebody's repository is none of its commits.
    if (!isSourceTree) return 'unknown'
    try {
      const call = ['-C', fileURLToPath(here('.')), 'rev-parse', '--short=12', 'HEAD']
      return execFileSync('git', call, { stdio: ['ignore', 'pipe', 'ignore'], timeout: 2000 })
        .toString()
        .trim()
    } catch {
      return 'unknown'
    }
  }
}

let known: BuildInfo | undefined

export const buildInfo = (): BuildInfo => {
  known ??= {
    version: (JSON.parse(readFileSync(here('package.json'), 'utf8')) as { version: string }).version,
    commit: commitOf(),
    migration: migrations.at(-1)?.name ?? 'none',
  }
  return known
}
