import { resolve } from 'node:path'
import { describeResult, runChecks } from './checks/run-checks.ts'

const results = await runChecks(resolve(import.meta.dirname, '..'), (result) => console.log(describeResult(result)))
const failed = results.filter(({ passed }) => !passed).length
console.log(`${results.length - failed} checks passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
