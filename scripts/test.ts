import { resolve } from 'node:path'
import { describeResult, runChecks } from './checks/run-checks.ts'
import { readTree } from './checks/source-tree.ts'
import { isCi } from './is-ci.ts'
import { ensurePrograms } from './system-packages.ts'
import { ensureAzurite } from './test-run/azurite.ts'
import { summaryLine } from './test-run/count-results.ts'
import { programsFor } from './test-run/needed-programs.ts'
import { runAllTests, runSomeTests } from './test-run/run-vitest.ts'

const root = resolve(import.meta.dirname, '..')
const filters = process.argv.slice(2)

await Promise.all([ensurePrograms(programsFor(filters, readTree(root), root)), ensureAzurite(filters, root)])

// A run for a path or a name is for the one who is at work on it: just those tests. Everything is `npm test` alone.
const checks = filters.length > 0 ? [] : await runChecks(root, (result) => console.log(describeResult(result)))
const tests = filters.length > 0 ? await runSomeTests(filters) : await runAllTests(isCi(process.env))

for (const reason of tests.reasons) console.log(reason)
for (const { name } of checks.filter(({ passed }) => !passed)) console.log(`FAILED CHECK: ${name}`)
const totals = {
  passed: tests.passed + checks.filter(({ passed }) => passed).length,
  failed: tests.failed + checks.filter(({ passed }) => !passed).length,
  skipped: tests.skipped,
}
console.log(summaryLine(totals))
process.exitCode = totals.failed === 0 ? 0 : 1
