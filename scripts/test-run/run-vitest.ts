import { accessSync, constants, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runProgram } from '../run-program.ts'
import { type Counts, countResults, sumCounts, type VitestReport } from './count-results.ts'
import type { RunNotes } from './run-reporter.ts'
import { type Stream, streams } from './streams.ts'

const root = resolve(import.meta.dirname, '../..')

/** What a run of everything came to. */
export interface WholeRun {
  readonly counts: Counts
  readonly streams: readonly StreamRun[]
}
export interface StreamRun {
  readonly stream: Stream
  /** Seconds after the run's beginning. */
  readonly beganAfter: number
  readonly seconds: number
  /** Undefined where the runner was ended before it could write them. */
  readonly notes: RunNotes | undefined
  readonly report: VitestReport | undefined
}

interface WholeOptions {
  /** A skipped test fails, a failed one is tried once more. */
  readonly strict: boolean
  readonly env: NodeJS.ProcessEnv
}

/** Runs all tests, showing them as they end. */
export const runAllTests = ({ strict, env }: WholeOptions): Promise<WholeRun> =>
  inFolder(async (folder) => {
    const began = performance.now()
    const run = async (stream: Stream) => {
      const args = stream.projects.map((name) => `--project=${name}`)
      const start = performance.now()
      const { niceness } = stream
      const ended = await runVitest(folder, args, { strict, env, output: 'lines', niceness })
      const seconds = (performance.now() - start) / 1000
      return { stream, beganAfter: (start - began) / 1000, seconds, ...ended }
    }
    const real = run(streams.real)
    const pages = real.then(() => run(streams.pages))
    const packages = pages.then(() => run(streams.packages))
    const units = packages.then(() => run(streams.units))
    const all = [real, pages, packages, units, run(streams.server)]
    // A run that is told to stop waits until every stream has ended.
    await Promise.allSettled(all)
    const runs = await Promise.all(all)
    return { counts: sumCounts(runs.map(({ counts }) => counts)), streams: runs }
  })

/** Runs the tests that vitest's arguments choose, with its own output. */
export const runSomeTests = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<Counts> =>
  inFolder(async (folder) => (await runVitest(folder, args, { strict: false, env, output: 'show' })).counts)

const inFolder = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'test-run-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const sharedMemory = '/dev/shm'
const roomFor = 6 * 2 ** 30

/**
 * Where tests put their databases and evidence. What is synced there is in memory at once, which takes a third off the
 * server's tests; no test cuts the power. The usual place where memory is scarce, as it is in most containers.
 */
const quickFolder = (): string => {
  if (process.platform !== 'linux' || process.env.TMPDIR !== undefined) return tmpdir()
  try {
    accessSync(sharedMemory, constants.W_OK)
    const { bavail, bsize } = statfsSync(sharedMemory)
    return Math.min(bavail * bsize, freemem()) >= roomFor ? sharedMemory : tmpdir()
  } catch {
    return tmpdir()
  }
}

interface Options extends WholeOptions {
  readonly output: 'show' | 'lines'
  readonly niceness?: number
}

let runs = 0

const runVitest = async (folder: string, args: readonly string[], options: Options) => {
  const { strict, output, niceness = 0 } = options
  runs += 1
  const [file, notesFile] = [join(folder, `report-${runs}.json`), join(folder, `notes-${runs}.json`)]
  const own = join(root, 'scripts/test-run/run-reporter.ts')
  const reporters = ['--reporter=default', '--reporter=json', `--reporter=${own}`, `--outputFile.json=${file}`]
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  // Real displays, sound servers and browsers share the machine with all else; what needed a second try is named.
  const retry = strict ? ['--retry=1'] : []
  // The tests start many Node processes of the same sources: what one compiled, the next one loads.
  const compiled = join(root, 'node_modules/.cache/node-tests')
  const env = { ...options.env, TMPDIR: quickFolder(), NODE_COMPILE_CACHE: compiled, TEST_NOTES_FILE: notesFile }
  const { code, signal } = await runProgram(process.execPath, [vitest, 'run', ...reporters, ...retry, ...args], {
    cwd: root,
    env,
    output,
    ...(niceness === 0 ? {} : { niceness }),
  })
  const report = readJson<VitestReport>(file)
  const notes = readJson<RunNotes>(notesFile)
  const { errorsOutside = [] } = notes ?? {}
  const ended = { strict, endedWith: signal ?? code, errorsOutside }
  return { counts: countResults(report, ended), report, notes }
}

const readJson = <T>(file: string): T | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch {
    return undefined
  }
}
