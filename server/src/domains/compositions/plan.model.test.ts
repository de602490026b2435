import { type EvidenceType, gapReasons, laneNames, type SessionConfigPatch, sessionConfig } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import type { LaneGap, LaneWindow } from '../lanes/lanes.types.ts'
import { mergeConfig } from '../sessions/sessions.config.service.ts'
import type { SessionRow } from '../sessions/sessions.types.ts'
import { gapText, type PlanFacts, planFilm } from './plan.model.ts'
import { gapTextsOf, type PlanInput, trackOf } from './plan.tracks.model.ts'

const start = Date.parse('2026-09-04T10:00:00.000Z')
const second = 1000

interface Overrides {
  readonly seconds?: number
  readonly config?: SessionConfigPatch
  readonly declined?: readonly string[]
  readonly inputs?: readonly PlanInput[]
  readonly gaps?: readonly LaneGap[]
  readonly windows?: readonly LaneWindow[]
  readonly events?: PlanFacts['events']
}

let made = 0
/** Seconds after the beginning. */
const buildInput = (evidenceType: EvidenceType, at: number, overrides: Partial<PlanInput> = {}): PlanInput => {
  made += 1
  const sound = evidenceType === 'audio_chunk'
  const still = evidenceType === 'screenshot' || evidenceType === 'camera_frame'
  return {
    id: `evd_${made}`,
    evidenceType,
    sha256: 'a'.repeat(64),
    contentType: sound ? 'audio/ogg' : still ? 'image/webp' : 'video/webm',
    sizeBytes: 100,
    capturedAt: start + at * second,
    durationMs: still ? null : 10 * second,
    displayId: '',
    ...overrides,
  }
}
const on = (displayId: string) => ({ displayId })
const gap = (lane: LaneGap['lane'], from: number, to: number, reason: LaneGap['reason'], displayId = ''): LaneGap => ({
  lane,
  displayId,
  fromAt: start + from * second,
  toAt: start + to * second,
  reason,
})
/** The lane says itself what it observed, so that nothing counts as not reported. */
const observed = (lane: LaneWindow['lane'], seconds: number): LaneWindow => ({
  lane,
  displayId: '',
  fromAt: start,
  toAt: start + seconds * second,
  expectedSeconds: seconds,
  observedSeconds: seconds,
})

const consentTo = (declined: readonly string[]) => ({
  lanes: Object.fromEntries(
    laneNames.map((lane) => [lane, { granted: !declined.includes(lane), at: '', withdrawnAt: null }]),
  ),
})

const planOf = ({ seconds = 300, config = {}, declined = [], ...facts }: Overrides = {}) => {
  const session = {
    startedAt: start,
    endedAt: start + seconds * second,
    config: mergeConfig(sessionConfig.parse({}), config),
    consent: consentTo(declined),
  } as unknown as SessionRow
  const windows = [observed('screen', seconds), observed('camera', seconds)]
  const none = async function* () {}
  return planFilm({ session, inputs: [], gaps: [], windows, events: [], open: none, ...facts })
}

const seconds = (items: readonly { atMs: number; untilMs: number; kind: string }[]) =>
  items.map(({ kind, atMs, untilMs }) => [kind, atMs / second, untilMs / second])
const words = (texts: readonly { fromMs: number; toMs: number; text: string }[]) =>
  texts.map(({ fromMs, toMs, text }) => [fromMs / second, toMs / second, text])

describe('the plan of a film', () => {
  it('runs from the start of the session to its end, at least a second and at most a day', () => {
    expect(planOf({ seconds: 90 })).toMatchObject({ startsAt: start, durationMs: 90_000 })
    expect(planOf({ seconds: 0 }).durationMs).toBe(1000)
    expect(planOf({ seconds: 90_000 }).durationMs).toBe(86_400_000)
  })

  it('holds a still until the next one, and no longer than three intervals or half a minute', () => {
    const stills = [0, 10, 60].map((at) => buildInput('screenshot', at))
    expect(seconds(planOf({ inputs: stills }).screen)).toEqual([
      ['still', 0, 10],
      ['still', 10, 40],
      ['still', 60, 90],
    ])
    const slow = planOf({ inputs: stills, config: { capture: { screenshotIntervalSeconds: 60 } } })
    expect(seconds(slow.screen).at(-1)).toEqual(['still', 60, 240])
  })

  it('ends what is shown where the film ends, and shows nothing of before its beginning', () => {
    const inputs = [-60, -20, 290].map((at) => buildInput('screenshot', at))
    expect(seconds(planOf({ inputs }).screen)).toEqual([
      ['still', 0, 10],
      ['still', 290, 300],
    ])
  })

  it('prefers recordings to stills, which are seen before and after them', () => {
    const inputs = [buildInput('screenshot', 0), buildInput('screen_clip', 5), buildInput('screenshot', 12)]
    expect(seconds(planOf({ inputs }).screen)).toEqual([
      ['still', 0, 5],
      ['clip', 5, 15],
      ['still', 15, 42],
    ])
  })

  it('ends a recording where the next one begins', () => {
    const inputs = [buildInput('screen_clip', 0), buildInput('screen_clip', 8), buildInput('screen_clip', 30)]
    expect(seconds(planOf({ inputs }).screen)).toEqual([
      ['clip', 0, 8],
      ['clip', 8, 18],
      ['clip', 30, 40],
    ])
  })

  it('shows the lowest display, and another while that one has nothing', () => {
    const inputs = [
      buildInput('screenshot', 0, on('b')),
      buildInput('screenshot', 10, on('a')),
      buildInput('screenshot', 30, on('b')),
      buildInput('screenshot', 50, on('b')),
    ]
    const { screen } = planOf({ inputs })
    expect(screen.map(({ atMs, untilMs }) => [atMs / second, untilMs / second])).toEqual([
      [0, 10],
      [10, 40],
      [40, 50],
      [50, 80],
    ])
  })

  it('plays a recording of another display from its beginning or not at all', () => {
    const inputs = [
      buildInput('screenshot', 0, on('a')),
      buildInput('screen_clip', 25, on('b')),
      buildInput('screen_clip', 100, on('b')),
    ]
    expect(seconds(planOf({ inputs }).screen)).toEqual([
      ['still', 0, 30],
      ['clip', 100, 110],
    ])
  })

  it('ends a held still where a gap begins, and says why there is nothing', () => {
    const inputs = [buildInput('screenshot', 0), buildInput('screenshot', 100)]
    const plan = planOf({ inputs, gaps: [gap('screen', 5, 60, 'paused'), gap('camera', 0, 20, 'unplugged')] })
    expect(seconds(plan.screen)[0]).toEqual(['still', 0, 5])
    expect(words(plan.screenGaps)).toEqual([[5, 60, 'Not captured: paused on request, as the policy allows']])
    expect(words(plan.cornerGaps)).toEqual([[0, 20, 'Not captured: the device went away']])
  })

  it('shows a gap as a gap until it ends, whatever was taken inside it', () => {
    const inputs = [0, 20, 30, 45, 60, 70].map((at) => buildInput('screenshot', at))
    // 30 lies in the first, 45 where the second of two that overlap goes on, 60 where it ends.
    const gaps = [
      gap('screen', 20, 40, 'driver_failed'),
      gap('screen', 35, 60, 'paused'),
      gap('screen', 66, 66, 'paused'),
    ]
    const plan = planOf({ inputs, gaps })
    expect(seconds(plan.screen)).toEqual([
      ['still', 0, 20],
      ['still', 60, 70],
      ['still', 70, 100],
    ])
    expect(words(plan.screenGaps).map(([from, to]) => [from, to])).toEqual([
      [20, 40],
      [40, 60],
    ])
  })

  it('shows what was taken in a time for which nothing else was reported', () => {
    const plan = planOf({ seconds: 60, windows: [observed('screen', 20)], inputs: [buildInput('screenshot', 40)] })
    expect(seconds(plan.screen)).toEqual([['still', 40, 60]])
    expect(words(plan.screenGaps).map(([from, to]) => [from, to])).toEqual([[20, 60]])
  })

  it('leaves the other display its picture when a gap is of one display alone', () => {
    const inputs = [buildInput('screenshot', 0, on('a')), buildInput('screenshot', 10, on('b'))]
    const { screen } = planOf({ inputs, gaps: [gap('screen', 20, 60, 'unplugged', 'a')] })
    expect(seconds(screen)).toEqual([
      ['still', 0, 20],
      ['still', 20, 40],
    ])
  })

  it('says one reason at a time', () => {
    const gaps = [
      gap('screen', 0, 30, 'offline'),
      gap('screen', 10, 50, 'asleep_or_locked'),
      gap('screen', 40, 70, 'unplugged', 'a'),
    ]
    const { screenGaps } = planOf({ gaps })
    expect(words(screenGaps).map(([from, to]) => [from, to])).toEqual([
      [0, 30],
      [30, 50],
      [50, 70],
    ])
  })

  it('has a sentence for every reason, without an end that a card does not need', () => {
    for (const reason of Object.keys(gapReasons) as (keyof typeof gapReasons)[])
      expect(gapText(reason)).toMatch(/^Not captured: [a-z].*[a-z]$/)
    expect(gapText('declined')).toBe('Not captured: declined by the candidate')
  })

  it('says of a lane that was declined, and of one that was off, what it was', () => {
    expect(planOf({ declined: ['camera'], windows: [observed('screen', 300)] }).emptyText).toEqual({
      screen: 'Not captured: nothing was reported for this time',
      corner: 'Not captured: declined by the candidate',
    })
    expect(planOf({ config: { camera: { enabled: false } } }).emptyText.corner).toBe('Not part of this interview')
    const phone = planOf({ config: { camera: { enabled: false }, sideView: { enabled: true } } })
    expect(phone.emptyText.corner).toBe('Not captured: nothing was reported for this time')
  })

  it('says of time for which nobody reported anything that it is so', () => {
    const { screenGaps } = planOf({ windows: [observed('screen', 100)] })
    expect(words(screenGaps)).toEqual([[100, 300, 'Not captured: nothing was reported for this time']])
  })

  it('shows the webcam in the corner, its recordings before its stills, and the side view where it has neither', () => {
    const inputs = [
      buildInput('side_view_clip', 0),
      buildInput('camera_frame', 5),
      buildInput('camera_clip', 20),
      buildInput('side_view_clip', 100),
    ]
    expect(seconds(planOf({ inputs }).corner)).toEqual([
      ['clip', 0, 5],
      ['still', 5, 20],
      ['clip', 20, 30],
      ['still', 30, 50],
      ['clip', 100, 110],
    ])
  })

  it("takes the microphone's sound, as long as its row says or a chunk is", () => {
    const inputs = [
      buildInput('audio_chunk', 20, { durationMs: 4000 }),
      buildInput('audio_chunk', 0, { durationMs: null }),
      buildInput('audio_chunk', 301),
      buildInput('audio_chunk', -60),
    ]
    const { sound } = planOf({ inputs, config: { audio: { chunkSeconds: 7 } } })
    expect(sound.map(({ atMs, durationMs }) => [atMs, durationMs])).toEqual([
      [0, 7000],
      [20_000, 4000],
    ])
  })

  it('reads an input through what it was given, range and all', async () => {
    const asked: unknown[] = []
    const input = buildInput('screenshot', 0)
    const open: PlanFacts['open'] = async function* (of, range) {
      asked.push([of.id, range])
      yield Buffer.from('bytes')
    }
    const { screen } = planOf({ inputs: [input], open } as Overrides)
    for await (const piece of screen[0]!.read({ start: 1, end: 3 })) expect(piece.length).toBe(5)
    expect(asked).toEqual([[input.id, { start: 1, end: 3 }]])
  })

  it('looks at each gap of each of many displays a few times, not once for each display', () => {
    let looked = 0
    const many = Array.from({ length: 2000 }, (_, i) => i)
    const gaps = many.map((i) => ({
      ...{ atMs: 2000 * i, untilMs: 2000 * i + 1000, text: '' },
      get displayId() {
        looked += 1
        return `d${i}`
      },
    }))
    const stills = many.map((i) => buildInput('screenshot', 2 * i + 1, on(`d${i}`)))
    const options = { startsAt: start, durationMs: 4_000_000, holdMs: 1000 }
    expect(trackOf([], stills, gaps, options)).toHaveLength(many.length)
    expect(gapTextsOf(gaps, options.durationMs)).toHaveLength(many.length)
    expect(looked).toBeLessThan(20 * gaps.length)
  })

  it('lays out two hours of two displays at once in order and without overlap', () => {
    const stills = (displayId: string, offset: number) =>
      Array.from({ length: 7200 }, (_, i) => buildInput('screenshot', i + offset, on(displayId)))
    const { screen } = planOf({ seconds: 7200, inputs: [...stills('a', 0), ...stills('b', 0.5)] })
    expect(screen).toHaveLength(7200)
    for (const [i, item] of screen.entries()) expect(item.atMs).toBeGreaterThanOrEqual(screen[i - 1]?.untilMs ?? 0)
  })
})
