import type { Reporter, TestCase } from 'vitest/node'

/**
 * Names, at the end of a run, each test that passed only when it was tried again: it has not failed the run, and somebody
 * has to find out why it failed at first.
 */
export default class SecondTryReporter implements Reporter {
  readonly #names: string[] = []

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.#names.push(`${test.module.relativeModuleId} > ${test.fullName}`)
  }

  onTestRunEnd(): void {
    for (const name of this.#names) console.log(`PASSED ONLY AT A SECOND TRY: ${name}`)
  }
}
