import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildSession, startedAt } from '../../interviews/sessions/build-session.test-support.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import type { PhonePresence } from '../../recording/companions/presence.log.service.ts'
import { sideViewReports } from './coverage.side-view.model.ts'

const at = (seconds: number): number => startedAt + seconds * 1000
const ended = (seconds: number, fields: Partial<SessionRow> = {}): SessionRow =>
  buildSession({ state: 'ended', endedAt: at(seconds), ...fields })

type Beat = PhonePresence['beats'][number]
const beat = (seconds: number, reason?: string): Beat => ({
  at: at(seconds),
  recording: reason === undefined ? 'off' : 'interrupted',
  reason: reason ?? null,
  orientation: null,
})
/** A word every ten seconds, both ends included. */
const beats = (from: number, to: number, reason?: string): Beat[] =>
  Array.from({ length: Math.floor((to - from) / 10) + 1 }, (_beat, n) => beat(from + n * 10, reason))

const phone = (said: readonly Beat[], fields: Partial<PhonePresence> = {}): PhonePresence => ({
  pairedAt: at(-60),
  endedAt: null,
  beats: said,
  ...fields,
})
const yes = { granted: true, at: at(-30) }
const no = (seconds: number) => ({ granted: false, at: at(seconds) })

/** Times in seconds since the session began. */
const report = (
  session: SessionRow,
  phones: readonly PhonePresence[],
  answers: { granted: boolean; at: number }[] = [yes],
) => {
  const { windows, gaps } = sideViewReports(session, { phones, answers })
  const since = (ms: number) => (ms - startedAt) / 1000
  return {
    seen: windows.map(({ fromAt, toAt }) => [since(fromAt), since(toAt)]),
    gaps: gaps.map(({ fromAt, toAt, reason }) => [since(fromAt), since(toAt), reason]),
  }
}

describe('the coverage of the side view', () => {
  it('is the time in which the phone said that it is there', () => {
    expect(report(ended(100), [phone(beats(0, 100))])).toEqual({ seen: [[0, 100]], gaps: [] })
  })

  it('begins with consent, and what was said before it does not count', () => {
    const late = { granted: true, at: at(40) }
    expect(report(ended(100), [phone(beats(0, 100))], [late])).toEqual({ seen: [[40, 100]], gaps: [] })
    expect(report(ended(100), [phone(beats(0, 100))], [])).toEqual({ seen: [], gaps: [] })
    expect(report(ended(100), [phone(beats(0, 100))], [no(0)])).toEqual({ seen: [], gaps: [] })
  })

  it('ends with a withdrawal, and begins again with another consent', () => {
    const again = { granted: true, at: at(70) }
    expect(report(ended(100), [phone(beats(0, 100))], [yes, no(50), again])).toEqual({
      seen: [
        [0, 50],
        [70, 100],
      ],
      gaps: [],
    })
    const lanes = { side_view: { granted: true, at: '', withdrawnAt: new Date(at(20)).toISOString() } }
    expect(report(ended(100, { consent: { lanes } }), [phone(beats(0, 100))]).seen).toEqual([[0, 20]])
  })

  it('ends when the phone is let go, and goes on with the next one', () => {
    const first = phone(beats(0, 40), { endedAt: at(45) })
    const second = phone(beats(60, 100), { pairedAt: at(60) })
    expect(report(ended(100), [first, second])).toEqual({
      seen: [
        [0, 45],
        [60, 100],
      ],
      gaps: [],
    })
  })

  it('ends where the policy switched the side view off', () => {
    expect(report(ended(100, { lanesOff: { side_view: at(35) } }), [phone(beats(0, 30))])).toEqual({
      seen: [[0, 35]],
      gaps: [],
    })
  })

  it('has a gap from the last word on when three intervals go by without another, and none before that', () => {
    const short = [beat(0), beat(29.999), beat(59.998)]
    expect(report(ended(60), [phone(short)])).toEqual({ seen: [[0, 60]], gaps: [] })
    expect(report(ended(60), [phone([beat(0), beat(30), beat(40)])])).toEqual({
      seen: [[30, 60]],
      gaps: [[0, 30, 'not_reported']],
    })
    expect(report(ended(100), [phone(beats(0, 50))])).toEqual({ seen: [[0, 50]], gaps: [[50, 100, 'not_reported']] })
  })

  it('has a gap of the whole time for a phone that never spoke', () => {
    expect(report(ended(100), [phone([])])).toEqual({ seen: [], gaps: [[0, 100, 'not_reported']] })
  })

  it('takes up to fifteen seconds for the start of the phone', () => {
    expect(report(ended(100), [phone(beats(14, 100))])).toEqual({ seen: [[14, 100]], gaps: [] })
    expect(report(ended(100), [phone(beats(15, 100))]).gaps).toEqual([[0, 15, 'not_reported']])
  })

  it.each([
    ['background', 'in_background'],
    ['permission_denied', 'permission_denied'],
    ['camera_missing', 'unplugged'],
    ['storage_full', 'storage_full'],
    ['camera_busy', 'interrupted'],
    ['a word of a newer phone', 'interrupted'],
  ])('names an interruption by the word %j of the phone: %s', (word, reason) => {
    const said = [...beats(0, 20), ...beats(30, 50, word), ...beats(60, 100)]
    expect(report(ended(100), [phone(said)])).toEqual({
      seen: [
        [0, 30],
        [60, 100],
      ],
      gaps: [[30, 60, reason]],
    })
  })

  it('of a live session goes to the newest word: what comes late may still fill it', () => {
    expect(report(buildSession(), [phone(beats(0, 50))])).toEqual({ seen: [[0, 50]], gaps: [] })
    expect(report(buildSession(), [phone([])])).toEqual({ seen: [], gaps: [] })
  })

  it('says nothing of a session that never began, or whose phone was erased', () => {
    const before = buildSession({ startedAt: null, state: 'scheduled' })
    expect(report(before, [phone(beats(0, 50))])).toEqual({ seen: [], gaps: [] })
    expect(report(ended(100, { erasedAt: at(200) }), [phone([])])).toEqual({ seen: [], gaps: [] })
  })

  it('never counts a second twice and never leaves the time of the session', () => {
    const word = fc.record({
      seconds: fc.integer({ min: -50, max: 150 }),
      reason: fc.constantFrom(undefined, 'background'),
    })
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), fc.integer({ min: -40, max: 120 }), (words, consentAt) => {
        const said = words.map(({ seconds, reason }) => beat(seconds, reason)).sort((a, b) => a.at - b.at)
        const { seen, gaps } = report(ended(100), [phone(said)], [{ granted: true, at: at(consentAt) }])
        const spans = [...seen, ...gaps]
          .map(([from, to]) => [Number(from), Number(to)] as const)
          .sort((a, b) => a[0] - b[0])
        for (const [n, [from, to]] of spans.entries()) {
          expect(from).toBeGreaterThanOrEqual(Math.max(0, consentAt))
          expect(to).toBeLessThanOrEqual(100)
          expect(to).toBeGreaterThan(from)
          expect(spans[n + 1]?.[0] ?? 100).toBeGreaterThanOrEqual(to)
        }
      }),
      { seed: 23 },
    )
  })
})
