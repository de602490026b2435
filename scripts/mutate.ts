// Makes small changes, one at a time, in a copy of the tree, runs the test files nearest to each, and tells which of them no test
// noticed. `npm run mutate -- scripts/mutate/server.txt` for one list, `--lines=40-80` for a part of it.
//
// A list of our own and not Stryker: what safety rests on here are words of SQL, lifetimes, orders and calls (an environment
// dropped from a look-up, a lease that is not asked for), which generic operators do not make; and much of the code runs in threads
// and processes of its own, which its switch within one process does not reach.
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Mutation, mutate, readMutations } from './mutate/mutation-list.ts'
import { runProgram } from './run-program.ts'
import { copyTree } from './test-run/scratch-tree.ts'

/** Tests that take so long have lost their way, which is noticed. */
const patienceMs = 240_000

const root = resolve(import.meta.dirname, '..')
const given = process.argv.slice(2)
const lists = given.filter((argument) => !argument.startsWith('--'))
const lines = given.find((argument) => argument.startsWith('--lines='))?.slice('--lines='.length)
const [from = 0, to = Number.POSITIVE_INFINITY] = lines?.split('-').map(Number) ?? []

const scratch = mkdtempSync(join(tmpdir(), 'mutate-'))
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())

/** Runs the tests in the copy as it stands, those on Postgres too unless told. */
const run = async (
  tests: readonly string[],
  withinMs: number,
  more: NodeJS.ProcessEnv = {},
  options: readonly string[] = ['--bail=1'],
) => {
  const { CI: _, ...env } = process.env
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...options, ...tests]
  const limit = ['-k', '10', String(withinMs / 1000), process.execPath, ...vitest]
  const { code, output } = await runProgram('timeout', limit, { cwd: scratch, env: { ...env, ...more, NO_COLOR: '1' } })
  return { hold: code === 0, output }
}

interface Judged {
  readonly outcome: 'noticed' | 'not noticed' | 'does not apply'
  /** The first test that failed; that there is none says that the file did not even load, or took too long. */
  readonly by?: string
}

const judge = async (mutation: Mutation): Promise<Judged> => {
  const path = join(scratch, mutation.file)
  const before = readFileSync(path, 'utf8')
  const changed = mutate(before, mutation)
  if (changed === undefined) return { outcome: 'does not apply' }
  writeFileSync(path, changed)
  try {
    // Nearly all is noticed on SQLite already, in half the time; who is short of time asks for that alone.
    for (const more of process.env['WITHOUT_POSTGRES'] ? [{}] : [{ WITHOUT_POSTGRES: '1' }, {}]) {
      const { hold, output } = await run(mutation.tests, patienceMs, more)
      if (!hold) return { outcome: 'noticed', by: /^ *FAIL +(.*)$/m.exec(output)?.[1] ?? 'no test by name' }
    }
    return { outcome: 'not noticed' }
  } finally {
    writeFileSync(path, before)
  }
}

try {
  copyTree(scratch)
  const counts = new Map<string, number>()
  for (const list of lists.length > 0 ? lists : globSync('scripts/mutate/*.txt', { cwd: root }).sort()) {
    const mutations = readMutations(readFileSync(join(root, list), 'utf8'))
    const chosen = mutations.filter(({ line }) => line >= from && line <= to)
    const tests = [...new Set(chosen.flatMap((mutation) => mutation.tests))]
    // One that fails under load alone does not end a run of an hour.
    const unchanged = await run(tests, tests.length * patienceMs, {}, ['--retry=1'])
    if (!unchanged.hold)
      throw new Error(`not all of these hold without any change: ${tests.join(' ')}\n${unchanged.output}`)
    for (const mutation of chosen) {
      if (stopping.signal.aborted) break
      const { outcome, by } = await judge(mutation)
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
      console.log(
        `${outcome.padEnd(14)} ${list}:${mutation.line} ${mutation.file}: ${mutation.find.trim()}${by === undefined ? '' : `\n${' '.repeat(15)}by ${by}`}`,
      )
    }
  }
  console.log([...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', '))
  process.exitCode = counts.size === 1 && counts.has('noticed') ? 0 : 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
