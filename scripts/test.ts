import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describeResult, runChecks } from './checks/run-checks.ts'
import { runProgram } from './run-program.ts'
import { ensurePrograms, testPrograms } from './system-packages.ts'
import { type Counts, countResults, summaryLine, type VitestReport } from './testing/count-results.ts'

const root = resolve(import.meta.dirname, '..')
const filters = process.argv.slice(2)
const inCi = !['', '0', 'false'].includes(process.env.CI ?? '')

/** Runs vitest with its own output shown, and counts from its report. */
async function runVitest(args: string[], strict: boolean): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), 'test-report-'))
  const file = join(folder, 'report.json')
  try {
    const own = join(root, 'scripts/testing/second-try-reporter.ts')
    const reporters = ['--reporter=default', '--reporter=json', `--reporter=${own}`, `--outputFile.json=${file}`]
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    // Real displays, sound servers and browsers share the machine with all else; what needed a second try is named.
    const retry = strict ? ['--retry=1'] : []
    const { code } = await runProgram(process.execPath, [vitest, 'run', ...reporters, ...retry, ...args], {
      cwd: root,
      output: 'show',
    })
    return countResults(readReport(file), code, strict)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readReport(file: string): VitestReport | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as VitestReport
  } catch {
    return undefined
  }
}

await ensurePrograms(testPrograms)

// A run for a path or a name is for the one who is at work on it: just those tests. Everything is `npm test` alone.
const checks = filters.length > 0 ? [] : await runChecks(root, (result) => console.log(describeResult(result)))
const tests = await runVitest(filters, inCi && filters.length === 0)

for (const reason of tests.reasons) console.log(reason)
for (const { name } of checks.filter(({ passed }) => !passed)) console.log(`FAILED CHECK: ${name}`)
const totals = {
  passed: tests.passed + checks.filter(({ passed }) => passed).length,
  failed: tests.failed + checks.filter(({ passed }) => !passed).length,
  skipped: tests.skipped,
}
console.log(summaryLine(totals))
process.exitCode = totals.failed === 0 ? 0 : 1
