import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const steps = 'server/src/migrations'
const isStep = (name: string): boolean => /^\d{4}-.+\.ts$/.test(name)

const git = (...args: string[]): string =>
  execFileSync('git', ['-C', root, ...args], { stdio: 'pipe' })
    .toString()
    .trim()

/** The newest commit that does not know the newest migration yet; nothing where the history is not there. */
const findCommit = (): string | undefined => {
  const names = ['--', `${steps}/[0-9]*.ts`]
  try {
    if (git('status', '--porcelain', ...names) !== '') return git('rev-parse', 'HEAD')
    const newest = git('log', '-1', '--diff-filter=A', '--format=%H', ...names)
    return git('rev-parse', '--verify', '--quiet', `${newest}^{commit}^`)
  } catch {
    // No git, a folder without history, or a shallow clone that ends before.
    return undefined
  }
}

export const lastRelease = findCommit()

export interface OldSources {
  /** Its server's program. */
  readonly main: URL
  /** Its migrations by name. */
  readonly migrations: readonly string[]
  remove(): Promise<void>
}

/** The server's sources of that commit, on the packages of today. */
export const takeSources = async (commit: string): Promise<OldSources> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'integrity-last-release-'))
  const packages = ['server', 'shared-protocol']
  const archive = path.join(folder, 'sources.tar')
  git('archive', '--output', archive, commit, 'package.json', ...packages)
  execFileSync('tar', ['-xf', archive, '-C', folder])
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  for (const name of [...packages, 'shared-protocol/client']) {
    // Links among the packages of the workspace are relative, so here they lead to its own old ones.
    await mkdir(path.join(folder, name), { recursive: true })
    const copied = { recursive: true, verbatimSymlinks: true }
    await cp(path.join(root, name, 'node_modules'), path.join(folder, name, 'node_modules'), copied)
  }
  const found = (await readdir(path.join(folder, steps))).filter(isStep)
  return {
    main: pathToFileURL(path.join(folder, 'server/src/main.ts')),
    migrations: found.map((name) => name.replace(/\.ts$/, '')).toSorted(),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
