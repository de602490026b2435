/** The part of vitest's JSON report that is counted here. */
export interface VitestReport {
  testResults: {
    name: string
    /** Epoch milliseconds, of the first test and of the last. */
    startTime: number
    endTime: number
    status: string
    message?: string
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[]
  }[]
}

export interface Counts {
  passed: number
  failed: number
  skipped: number
  /** What failed, in words, one line each: said again at the end, where a reader of a long log looks first. */
  reasons: string[]
}

// A skip is excused when its name says what the machine lacks, as in "[needs Electron]".
const excused = /\[needs [^\]]+\]/

interface Ended {
  /** A skipped test counts as failed unless its name says what the machine lacks. */
  readonly strict: boolean
  /** The runner's exit code, or the signal that ended it. */
  readonly endedWith: number | string | null
  /** What no test caught, in words. */
  readonly errorsOutside?: readonly string[]
}

/**
 * Counts a report. A file that does not even load counts as one failure, and so does a run without any test, each error
 * outside every test, and a run that ended badly for no reason that it names.
 */
export const countResults = (
  report: VitestReport | undefined,
  { strict, endedWith, errorsOutside = [] }: Ended,
): Counts => {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0, reasons: [] }
  const fail = (reason: string) => {
    counts.failed += 1
    counts.reasons.push(reason)
  }
  for (const file of report?.testResults ?? []) {
    const statuses = file.assertionResults.map(({ status }) => status)
    if (file.status === 'failed' && !statuses.includes('failed')) fail(`${file.name}: failed outside its tests`)
    for (const { fullName, status, failureMessages = [] } of file.assertionResults) {
      if (status === 'passed') counts.passed += 1
      else if (status === 'failed') fail(`FAILED: ${file.name} > ${fullName}: ${firstLine(failureMessages)}`)
      else if (strict && !excused.test(fullName)) fail(`SKIPPED: ${fullName} (a skipped test fails here)`)
      else counts.skipped += 1
    }
  }
  for (const error of errorsOutside) fail(`OUTSIDE THE TESTS: ${error}`)
  if (counts.passed + counts.failed === 0) fail('no test ran')
  else if (endedWith !== 0 && counts.failed === 0)
    fail(`the test runner ended with ${endedWith} although no test failed; see above`)
  return counts
}

const firstLine = (messages: readonly string[]): string => messages[0]?.split('\n')[0] ?? 'no message'

/** What several runs come to together. */
export const sumCounts = (all: readonly Counts[]): Counts => {
  const total: Counts = { passed: 0, failed: 0, skipped: 0, reasons: [] }
  for (const { passed, failed, skipped, reasons } of all) {
    total.passed += passed
    total.failed += failed
    total.skipped += skipped
    total.reasons.push(...reasons)
  }
  return total
}

/** The last line of a run. */
export const summaryLine = ({ passed, failed, skipped }: Pick<Counts, 'passed' | 'failed' | 'skipped'>): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
