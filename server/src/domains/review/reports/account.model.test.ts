import { type GapReason, gapReasons, lengthOf, type Span, sessionConfig } from '@integrity/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LaneGap, LaneWindow } from '../../interviews/lanes/lanes.types.ts'
import { buildSession, consentTo, startedAt } from '../../interviews/sessions/build-session.test-support.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { accountLanes, accountOf } from './account.model.ts'
import type { AccountInput, HeldObject, SourceAccount } from './account.types.ts'

const lanesUsed = ['screen', 'microphone', 'system_audio', 'camera', 'transcript'] as const
const displays = ['', 'a', 'b']
/** Milliseconds from a quarter of a minute before the start to as long after the end. */
const lastsMs = 120_000
const instant = fc.integer({ min: -15_000, max: lastsMs + 15_000 }).map((ms) => startedAt + ms)
const lengths = fc.oneof(fc.integer({ min: 0, max: 2500 }), fc.integer({ min: 0, max: 60_000 }))
const spanned = fc.tuple(instant, lengths).map(([fromAt, ms]): Span => ({ fromAt, toAt: fromAt + ms }))
const place = fc.tuple(fc.constantFrom(...lanesUsed), fc.constantFrom(...displays)).map(([lane, displayId]) => ({
  lane,
  displayId: lane === 'screen' ? displayId : '',
}))
const windows = fc
  .tuple(place, spanned, fc.double({ min: 0, max: 1.1, noNaN: true }), fc.boolean())
  .map(([where, span, share, isWhole]): LaneWindow => {
    const expectedSeconds = (span.toAt - span.fromAt) / 1000
    return { ...where, ...span, expectedSeconds, observedSeconds: expectedSeconds * (isWhole ? 1 : share) }
  })
const reasons = fc.constantFrom(...(Object.keys(gapReasons) as GapReason[]))
const gaps = fc.tuple(place, spanned, reasons).map(([where, span, reason]): LaneGap => ({ ...where, ...span, reason }))
const objects = fc
  .tuple(
    fc.constantFrom<readonly [HeldObject['evidenceType'], HeldObject['source']]>(
      ...(['screen', 'screen:a', 'screen:c'] as const).map((source) => ['screenshot', source] as const),
      ['screen_clip', 'screen:b'],
      ['audio_chunk', 'microphone'],
      ['camera_frame', 'camera'],
      ['camera_frame', 'room_camera'],
      ['side_view_clip', 'side_view'],
    ),
    instant,
    fc.option(lengths),
  )
  .map(([[evidenceType, source], capturedAt, durationMs]): HeldObject => {
    return { evidenceType, source, capturedAt, durationMs }
  })

const beats = fc.array(
  fc.record({
    at: instant,
    recording: fc.constantFrom('on', 'off', 'interrupted'),
    reason: fc.constantFrom(null, 'background', 'camera_missing'),
    orientation: fc.constant(null),
  }),
  { maxLength: 12 },
)
const phones = fc
  .record({ pairedAt: instant, endedAt: fc.option(instant), beats })
  .map((phone) => ({ ...phone, beats: phone.beats.toSorted((a, b) => a.at - b.at) }))
const sideView = fc.record({
  phones: fc.array(phones, { maxLength: 3 }),
  answers: fc
    .array(fc.record({ granted: fc.boolean(), at: instant }), { maxLength: 3 })
    .map((answers) => answers.toSorted((a, b) => a.at - b.at)),
}) as fc.Arbitrary<NonNullable<AccountInput['sideView']>>

const consentOf = fc.record({
  at: fc.option(instant),
  withdrawn: fc.option(instant, { freq: 1 }),
  off: fc.option(instant, { freq: 1 }),
  granted: fc.boolean(),
})
const session = fc
  .tuple(consentOf, fc.constantFrom(...accountLanes), fc.boolean())
  .map(([{ at, withdrawn, off, granted }, lane, isOver]): SessionRow => {
    const { lanes, ...rest } = consentTo(...accountLanes)
    const iso = (ms: number) => new Date(ms).toISOString()
    const answer = { granted, at: iso(at ?? startedAt), withdrawnAt: granted && withdrawn ? iso(withdrawn) : null }
    return buildSession({
      ...(isOver && { state: 'ended', endedAt: startedAt + lastsMs }),
      config: sessionConfig.parse({ sideView: { enabled: true }, camera: { enabled: off === null } }),
      lanesOff: off === null ? {} : { camera: off, room_camera: off },
      consent: { ...rest, lanes: { ...lanes, [lane]: answer } },
    })
  })
/** From a moment on the agent's clock was put right: what is told of later is moved, what goes on then is longer or shorter. */
const corrections = fc.option(fc.record({ at: instant, movedMs: fc.integer({ min: -45_000, max: 45_000 }) }))
type Correction = { readonly at: number; readonly movedMs: number } | null

const putRight = <Input extends AccountInput>(input: Input, correction: Correction): Input => {
  if (correction === null) return input
  const moved = (at: number) => (at > correction.at ? at + correction.movedMs : at)
  const spans = <T extends Span>(list: readonly T[]): T[] =>
    list
      .map((span) => ({ ...span, fromAt: moved(span.fromAt), toAt: moved(span.toAt) }))
      // Nobody takes one that ends before it begins.
      .filter(({ fromAt, toAt }) => toAt >= fromAt)
  const objects = input.objects.map((one) => ({ ...one, capturedAt: moved(one.capturedAt) }))
  return { ...input, windows: spans(input.windows), gaps: spans(input.gaps), objects }
}

const inputs = fc.record({
  session,
  windows: fc.array(windows, { maxLength: 25 }),
  gaps: fc.array(gaps, { maxLength: 12 }),
  objects: fc.array(objects, { maxLength: 20 }),
  sideView,
})

const sound = ({ stretches, expectedMs, observedMs, heldMs }: SourceAccount, { endedAt, startedAt }: SessionRow) => {
  const ms = (state: string) => lengthOf(stretches.filter((one) => one.state === state))
  for (const [n, { fromAt, toAt, state, reason, held }] of stretches.entries()) {
    expect(toAt).toBeGreaterThan(fromAt)
    if (n > 0) expect(fromAt).toBe(stretches[n - 1]!.toAt)
    expect(Number.isInteger(fromAt) && Number.isInteger(toAt)).toBe(true)
    expect(reason === null).toBe(state === 'observed' || state === 'not_wanted')
    if (held) expect(state).toBe('observed')
  }
  if (stretches.length > 0) {
    expect(stretches[0]!.fromAt).toBeGreaterThanOrEqual(startedAt ?? 0)
    if (endedAt !== null) expect(stretches.at(-1)!.toAt).toBe(endedAt)
  }
  expect(observedMs).toBe(ms('observed'))
  expect(expectedMs).toBe(observedMs + ms('gap'))
  expect(heldMs).toBeLessThanOrEqual(observedMs)
}

/**
 * Gaps that were told of a lane or of one display win over whatever else was said of the time; only a gap of another reason
 * may stand there.
 */
const gapsWin = (account: SourceAccount, { gaps }: AccountInput) => {
  const told = gaps.filter(
    ({ lane, displayId, reason }) =>
      lane === account.lane && reason !== 'declined' && ['', account.displayId].includes(displayId),
  )
  if (account.lane === 'side_view' || account.lane === 'room_camera') return
  const observed = account.stretches.filter(({ state }) => state === 'observed')
  expect(lengthOf([...observed, ...told])).toBe(lengthOf(observed) + lengthOf(told))
}

const shuffled = <T>(list: readonly T[], seed: number): T[] =>
  list
    .map((item, n) => ({ item, key: Math.imul(n + 1, seed | 1) >>> 0 }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)

describe('the account of a session', () => {
  const random = Date.now() % 1_000_000
  it.each([30, random])(
    'adds up, has no overlap and no hole, whatever was told in whatever order (seed %i)',
    (seed) => {
      console.info(`account: seed ${seed}`)
      fc.assert(
        fc.property(inputs, corrections, fc.integer(), (told, correction, order) => {
          const input = putRight(told, correction)
          const accounts = accountOf(input)
          for (const account of accounts) {
            sound(account, input.session)
            gapsWin(account, input)
          }
          const { windows, gaps, objects, sideView } = input
          const other = {
            ...input,
            windows: shuffled(windows, order),
            gaps: shuffled(gaps, order),
            objects: shuffled(objects, order),
            sideView: {
              ...sideView,
              phones: shuffled(sideView.phones, order).map((phone) => ({
                ...phone,
                beats: shuffled(phone.beats, order),
              })),
            },
          }
          expect(accountOf(other)).toEqual(accounts)
        }),
        { seed, numRuns: 400 },
      )
    },
  )
})
