import { resolve } from 'node:path'
import { pages } from './clients/all-clients.ts'
import { makeCurrent } from './clients/make-current.ts'
import { isCi } from './is-ci.ts'
import { ensurePrograms } from './system-packages.ts'
import { summaryLine } from './test-run/count-results.ts'
import { describeRun } from './test-run/describe-run.ts'
import { programsFor } from './test-run/needed-programs.ts'
import { runAllTests, runSomeTests } from './test-run/run-vitest.ts'
import { scopeOf } from './test-run/scope.ts'
import { ensureTestTools, toolsFor } from './test-run/test-tools.ts'

const root = resolve(import.meta.dirname, '..')
const { paths, env, words } = scopeOf(process.argv.slice(2), root, process.env)

const isAll = env['TEST_EVERYDAY'] === undefined
await Promise.all([
  ensurePrograms(programsFor(paths, root)),
  ensureTestTools(toolsFor(paths, isAll), root),
  makeCurrent(root, pages),
])

// A run for a path or a name is for the one who is at work on it: just those tests. Everything is `npm test` alone.
const runEverything = async () => {
  const { describeResult, runChecks } = await import('./checks/run-checks.ts')
  const checks = await runChecks(root, (result) => console.log(describeResult(result)))
  console.log(words)
  const { counts, streams } = await runAllTests({ strict: isCi(process.env), env })
  for (const line of describeRun(streams, root)) console.log(line)
  return { tests: counts, checks }
}
const { tests, checks } =
  paths.length > 0 ? { tests: await runSomeTests(paths, env), checks: [] } : await runEverything()

for (const reason of tests.reasons) console.log(reason)
for (const { name } of checks.filter(({ passed }) => !passed)) console.log(`FAILED CHECK: ${name}`)
const totals = {
  passed: tests.passed + checks.filter(({ passed }) => passed).length,
  failed: tests.failed + checks.filter(({ passed }) => !passed).length,
  skipped: tests.skipped,
}
console.log(summaryLine(totals))
process.exitCode = totals.failed === 0 ? 0 : 1
