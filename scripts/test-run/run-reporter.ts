import { readFileSync, writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'

/** Clock ticks of a second, in which Linux counts processor time for programs. */
const ticks = 100

/** Seconds of processor time of this process and of all that it has waited for; null where there is no such file. */
const processorSeconds = (): number | null => {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    // Behind the program's name, which may hold anything: user, system, and both of ended children.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / ticks
  } catch {
    return null
  }
}

/** What vitest's own report leaves out. */
export interface RunNotes {
  /** Seconds that the run took of the processors; null where the system does not say. */
  readonly processorSeconds: number | null
  /** Each test that passed only when it was tried again, with why it failed at first. */
  readonly secondTries: readonly string[]
  /** Errors that no test caught, which fail a run whose tests have all passed: each with the file that ran, if it is known. */
  readonly errorsOutside: readonly string[]
}

/** Leaves in the file that `TEST_NOTES_FILE` names what a run's end has to say again: a reader of a long log looks there first. */
export default class RunReporter implements Reporter {
  readonly #secondTries: string[] = []
  readonly #errorsOutside: string[] = []

  onInit(): void {
    const file = process.env['TEST_NOTES_FILE']
    if (file === undefined) return
    // As late as can be, when the workers have been waited for.
    process.once('exit', () => {
      const [secondTries, errorsOutside] = [this.#secondTries, this.#errorsOutside]
      const notes: RunNotes = { processorSeconds: processorSeconds(), secondTries, errorsOutside }
      writeFileSync(file, JSON.stringify(notes))
    })
  }

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) return
    const first = test.result().errors?.[0]?.message.split('\n')[0] ?? 'no message'
    this.#secondTries.push(`${test.module.relativeModuleId} > ${test.fullName}: ${first}`)
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    for (const { name, message, VITEST_TEST_PATH: path } of errors) {
      const file = typeof path === 'string' ? path : 'no file'
      this.#errorsOutside.push(`${file}: ${name}: ${message.split('\n')[0]}`)
    }
  }
}
