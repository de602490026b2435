import { readFileSync, writeFileSync } from 'node:fs'
import type { Reporter, TestCase } from 'vitest/node'

/** Clock ticks of a second, in which Linux counts processor time for programs. */
const ticks = 100

/** Seconds of processor time of this process and of all that it has waited for; undefined where there is no such file. */
const processorSeconds = (): number | undefined => {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    // Behind the program's name, which may hold anything: user, system, and both of ended children.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / ticks
  } catch {
    return undefined
  }
}

/**
 * Names, at the end of a run, each test that passed only when it was tried again: it has not failed the run, and somebody
 * has to find out why it failed at first. Leaves in `TEST_USAGE_FILE` what the run took of the processors.
 */
export default class RunReporter implements Reporter {
  readonly #names: string[] = []

  onInit(): void {
    const file = process.env['TEST_USAGE_FILE']
    // As late as can be, when the workers have been waited for.
    if (file !== undefined) process.once('exit', () => writeFileSync(file, JSON.stringify(processorSeconds() ?? null)))
  }

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.#names.push(`${test.module.relativeModuleId} > ${test.fullName}`)
  }

  onTestRunEnd(): void {
    for (const name of this.#names) console.log(`PASSED ONLY AT A SECOND TRY: ${name}`)
  }
}
