import { execFileSync, type StdioOptions } from 'node:child_process'

/** How much a run tests. */
export interface RunScope {
  readonly paths: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** For the one who reads the run. */
  readonly words: string
}

/** Commits so far, which go up by one: four in a row have each quarter's turn. 0 where there is no history. */
const commitCount = (root: string): number => {
  try {
    const quiet: StdioOptions = ['ignore', 'pipe', 'ignore']
    return Number(execFileSync('git', ['rev-list', '--count', 'HEAD'], { cwd: root, stdio: quiet }))
  } catch {
    return 0
  }
}

/**
 * What the arguments of `npm test` ask for. Without any: everything but what is kept for the night, small proofs, and a
 * quarter of the requests on the second engine (`POSTGRES_TURN`). `--all`: everything there is, and large proofs. A path: its
 * tests on both engines, small proofs unless `PROOF=large` is set.
 */
export const scopeOf = (args: readonly string[], root: string, env: NodeJS.ProcessEnv): RunScope => {
  const paths = args.filter((arg) => arg !== '--all')
  if (args.includes('--all')) return { paths, env: { ...env, PROOF: 'large' }, words: 'Everything, with large proofs.' }
  if (paths.length > 0) return { paths, env, words: '' }
  const turn = env['POSTGRES_TURN'] ?? String(commitCount(root) % 4)
  return {
    paths,
    env: { ...env, TEST_EVERYDAY: '1', POSTGRES_TURN: turn },
    words: `Small proofs, Postgres for what differs by engine and for quarter ${turn} of 0 to 3 of the rest; \`npm test -- --all\` runs everything.`,
  }
}
