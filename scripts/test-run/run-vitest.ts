import { accessSync, constants, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runProgram } from '../run-program.ts'
import { type Counts, countResults, sumCounts, type VitestReport } from './count-results.ts'

const root = resolve(import.meta.dirname, '../..')

interface Part {
  readonly args: readonly string[]
  readonly niceness: number
}

/**
 * Everything, two parts at a time, each two files at a time: the server's beside all others, and once those are done the
 * pages in a browser beside the rest of the server's. The agent's tests start the displays, of which more than two at
 * once fall over each other; they watch real sound and film while much of the server's compute, so the server's go after
 * them: sound that is starved is sound with holes. Their niceness stays below the one that films are given. With three of
 * the server's files beside them speech was not recognised in time, for one minute saved.
 */
const parts = {
  server: { args: ['--project=server'], niceness: 4 },
  pages: { args: ['--project=*-browser'], niceness: 4 },
  others: { args: ['--project=!server', '--project=!*-browser'], niceness: -6 },
} satisfies Record<string, Part>

/** Runs all tests, showing them as they end. @param strict a skipped test fails, a failed one is tried once more */
export const runAllTests = (strict: boolean): Promise<Counts> => inFolder((folder) => runParts(folder, strict))

/** Runs the tests that vitest's arguments choose, with its own output. */
export const runSomeTests = (args: readonly string[]): Promise<Counts> =>
  inFolder((folder) => runVitest(folder, args, { strict: false, output: 'show' }))

const runParts = async (folder: string, strict: boolean): Promise<Counts> => {
  const run = ({ args, niceness }: Part) => runVitest(folder, args, { strict, output: 'lines', niceness })
  const others = run(parts.others)
  const counts = await Promise.all([others, run(parts.server), others.then(() => run(parts.pages))])
  return sumCounts(counts)
}

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

let runs = 0

const runVitest = async (
  folder: string,
  args: readonly string[],
  options: { strict: boolean; output: 'show' | 'lines'; niceness?: number },
): Promise<Counts> => {
  const { strict, output, niceness = 0 } = options
  runs += 1
  const file = join(folder, `report-${runs}.json`)
  const own = join(root, 'scripts/test-run/second-try-reporter.ts')
  const reporters = ['--reporter=default', '--reporter=json', `--reporter=${own}`, `--outputFile.json=${file}`]
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  // Real displays, sound servers and browsers share the machine with all else; what needed a second try is named.
  const retry = strict ? ['--retry=1'] : []
  // The tests start many Node processes of the same sources: what one compiled, the next one loads.
  const env = { ...process.env, TMPDIR: quickFolder(), NODE_COMPILE_CACHE: join(folder, 'compiled') }
  const { code } = await runProgram(process.execPath, [vitest, 'run', ...reporters, ...retry, ...args], {
    ...{ cwd: root, env, output },
    ...(niceness === 0 ? {} : { niceness }),
  })
  return countResults(readReport(file), code, strict)
}

const readReport = (file: string): VitestReport | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as VitestReport
  } catch {
    return undefined
  }
}
