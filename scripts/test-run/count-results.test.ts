import { describe, expect, it } from 'vitest'
import { countResults, sumCounts, summaryLine } from './count-results.ts'

const file = (status: string, ...results: [fullName: string, status: string][]) => ({
  name: 'x.test.ts',
  startTime: 0,
  endTime: 1,
  status,
  assertionResults: results.map(([fullName, state]) => ({ fullName, status: state })),
})

describe('countResults', () => {
  it('counts what passed, failed and was skipped', () => {
    const report = { testResults: [file('failed', ['a', 'passed'], ['b', 'failed'], ['c', 'skipped'], ['d', 'todo'])] }
    expect(countResults(report, { endedWith: 1, strict: false })).toMatchObject({ passed: 1, failed: 1, skipped: 2 })
  })

  it('names each failed test with the first line of what it said', () => {
    const report = { testResults: [file('failed', ['a', 'passed'], ['b', 'failed'])] }
    expect(countResults(report, { endedWith: 1, strict: false }).reasons).toEqual(['FAILED: x.test.ts > b: no message'])
    const result = { fullName: 'b', status: 'failed', failureMessages: ['expected 1 to be 2\n  at x.ts:3', 'more'] }
    const said = { testResults: [{ ...file('failed'), assertionResults: [result] }] }
    expect(countResults(said, { endedWith: 1, strict: false }).reasons).toEqual([
      'FAILED: x.test.ts > b: expected 1 to be 2',
    ])
  })

  it('counts a file that does not load as one failure', () => {
    const report = { testResults: [file('passed', ['a', 'passed']), file('failed')] }
    expect(countResults(report, { endedWith: 1, strict: false })).toMatchObject({ passed: 1, failed: 1 })
  })

  it('fails a run in which nothing ran, with or without a report', () => {
    expect(countResults({ testResults: [] }, { endedWith: 0, strict: false })).toMatchObject({
      passed: 0,
      failed: 1,
      reasons: ['no test ran'],
    })
    expect(countResults(undefined, { endedWith: 1, strict: false }).failed).toBe(1)
    expect(
      countResults({ testResults: [file('passed', ['a', 'skipped'])] }, { endedWith: 0, strict: false }).failed,
    ).toBe(1)
  })

  it('fails a run whose runner ended badly although every test passed', () => {
    expect(
      countResults({ testResults: [file('passed', ['a', 'passed'])] }, { endedWith: 1, strict: false }).failed,
    ).toBe(1)
    expect(
      countResults({ testResults: [file('passed', ['a', 'passed'])] }, { endedWith: null, strict: false }).failed,
    ).toBe(1)
  })

  it('counts what no test caught, and says it', () => {
    const errorsOutside = ['x.test.ts: Error: nobody listened', 'no file: Error: neither here']
    const counts = countResults(
      { testResults: [file('passed', ['a', 'passed'])] },
      { endedWith: 1, strict: false, errorsOutside },
    )
    expect(counts).toMatchObject({ passed: 1, failed: 2 })
    expect(counts.reasons).toEqual(errorsOutside.map((error) => `OUTSIDE THE TESTS: ${error}`))
  })

  it('takes a skipped test for a failed one when it is strict, unless its name says what the machine lacks', () => {
    const report = {
      testResults: [
        file('passed', ['a', 'passed'], ['the window opens [needs Electron]', 'skipped'], ['b', 'skipped']),
      ],
    }
    expect(countResults(report, { endedWith: 0, strict: true })).toMatchObject({ passed: 1, failed: 1, skipped: 1 })
    expect(countResults(report, { endedWith: 0, strict: false })).toMatchObject({ passed: 1, failed: 0, skipped: 2 })
  })
})

describe('sumCounts', () => {
  it('adds up what runs beside each other counted, and keeps what each says', () => {
    const one = { passed: 3, failed: 0, skipped: 2, reasons: ['SKIPPED: a'] }
    const other = { passed: 1, failed: 4, skipped: 0, reasons: ['no test ran'] }
    expect(sumCounts([one, other])).toEqual({
      passed: 4,
      failed: 4,
      skipped: 2,
      reasons: ['SKIPPED: a', 'no test ran'],
    })
  })
})

describe('summaryLine', () => {
  it('names skipped tests only when there are any', () => {
    expect(summaryLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed')
    expect(summaryLine({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped')
  })
})
