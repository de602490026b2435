import { commitCount, turnsAfter } from './turns.ts'

/** How much a run tests. */
export interface RunScope {
  readonly paths: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** For the one who reads the run. */
  readonly words: string
}

/**
 * What the arguments of `npm test` ask for. Without any: everything but what is kept for the night, small proofs, a
 * part of the slow files (`SLOW_TURN`), and a quarter of the requests on the second engine (`POSTGRES_TURN`). `--all`:
 * everything there is, and large proofs. A path: its tests on both engines, small proofs unless `PROOF=large` is set.
 */
export const scopeOf = (args: readonly string[], root: string, env: NodeJS.ProcessEnv): RunScope => {
  const paths = args.filter((arg) => arg !== '--all')
  if (args.includes('--all')) return { paths, env: { ...env, PROOF: 'large' }, words: 'Everything, with large proofs.' }
  if (paths.length > 0) return { paths, env, words: '' }
  const turns = turnsAfter(commitCount(root))
  const postgres = env['POSTGRES_TURN'] ?? String(turns.postgres)
  const slow = env['SLOW_TURN'] ?? String(turns.slow)
  return {
    paths,
    env: { ...env, TEST_EVERYDAY: '1', POSTGRES_TURN: postgres, SLOW_TURN: slow },
    words: `Small proofs, part ${slow} of 0 to 15 of the slow files with those changed lately, Postgres for what differs by engine and for quarter ${postgres} of the rest; \`npm test -- --all\` runs everything.`,
  }
}
