import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GapReason } from '@integrity/protocol'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ffmpeg, makeMedia } from '../../../../test/test-support/film-fixtures.ts'
import { wordsIn } from '../../../../test/test-support/film-words.ts'
import { type Colour, lookAt } from '../../../../test/test-support/media-inputs.ts'
import { proofSeeds, proofSize, seededRandom } from '../../../../test/test-support/proof.ts'
import type { FilmPlace } from '../../../platform/film/film.types.ts'
import { undecodedText } from '../../../platform/film/film-cards.ts'
import { layoutFilm } from '../../../platform/film/film-layout.ts'
import { startedAt } from '../../interviews/sessions/build-session.test-support.ts'
import type { SourceAccount } from '../reports/account.types.ts'
import { gapText, stretchText } from './plan.account.model.ts'
import { accountsOf, buildInput, gap, type Overrides, observed, on, planOf } from './plan.test-support.ts'
import type { PlanInput } from './plan.tracks.model.ts'

const [fixedSeed = 0, randomSeed = fixedSeed] = proofSeeds()
const planned = proofSize({ small: 60, large: 2000 })
const rendered = proofSize({ small: 10, large: 40 })

const reasons = ['paused', 'unplugged', 'agent_stopped', 'driver_failed', 'offline'] as const
const lasts = 40

/** A session of two displays, a webcam and a camera of the room: windows, gaps, restarts, overlaps, things out of order. */
const sessionOf = (random: () => number): Overrides => {
  const upTo = (n: number) => Math.floor(random() * n)
  const moment = () => Math.round(random() * lasts * 10) / 10
  const times = <T>(most: number, make: (n: number) => T): T[] =>
    Array.from({ length: upTo(most + 1) }, (_, n) => make(n))
  const span = (): [number, number] => {
    const from = moment()
    return [from, Math.min(lasts, from + random() * 12)]
  }
  const told = () => (random() < 0.2 ? null : (Math.round(random() * 16) + 1) * 500)
  const display = () => on(random() < 0.5 ? '2' : '10')
  const inputs: PlanInput[] = [
    ...times(6, () => buildInput('screenshot', moment() - 2, display())),
    ...times(4, () => buildInput('screen_clip', moment() - 2, { ...display(), durationMs: told() })),
    ...times(4, () => buildInput('camera_frame', moment())),
    ...times(2, () => buildInput('camera_clip', moment(), { durationMs: told() })),
    ...times(3, () => buildInput('camera_frame', moment(), { source: 'room_camera' })),
    ...times(2, () => buildInput('side_view_clip', moment(), { durationMs: told() })),
    ...times(2, () => buildInput('audio_chunk', moment(), { durationMs: told() })),
  ]
  const windows = times(4, () => {
    const [from, to] = span()
    return random() < 0.3 ? observed('camera', to, from) : observed('screen', to, from, random() < 0.5 ? '2' : '10')
  })
  const gaps = times(4, () =>
    gap(random() < 0.7 ? 'screen' : 'camera', span(), reasons[upTo(reasons.length)]!, random() < 0.3 ? '2' : ''),
  )
  return {
    others: true,
    seconds: lasts,
    inputs,
    windows,
    gaps: gaps.map((one) => (one.lane === 'camera' ? { ...one, displayId: '' } : one)),
  }
}

const stateAt = (account: SourceAccount | undefined, ms: number) =>
  account?.stretches.find(({ fromAt, toAt }) => fromAt <= startedAt + ms && startedAt + ms < toAt)

const isTold = ({ reason }: { readonly reason: string | null }) =>
  reason !== null && !['not_reported', 'starting', 'stopping'].includes(reason)

interface Said {
  /** Shown as told; what a recording holds beyond what it told nobody knows before it is decoded. */
  readonly source: string | undefined
  readonly label: string | undefined
  readonly text: string
}

/** What a place shows at a moment, by the plan. */
const saidAt = ({ items, texts, emptyText }: FilmPlace, ms: number, inputs: readonly PlanInput[]): Said => {
  const top = items.findLast(
    ({ kind, atMs, untilMs, toldUntilMs }) => atMs <= ms && ms < untilMs && (kind === 'still' || ms < toldUntilMs),
  )
  const text = texts.findLast(({ fromMs, toMs }) => fromMs <= ms && ms < toMs)?.text ?? emptyText
  return { source: inputs.find(({ id }) => id === top?.id)?.source, label: top?.label, text }
}

/** Of a recording that does not say how long it is. */
const untoldMs = 5000
/**
 * The recording that alone says if it still shows something: it told no length, or is within a picture of the end that it told.
 */
const endingAt = ({ items }: FilmPlace, ms: number) =>
  items.find(({ kind, atMs, untilMs, beginsMs, toldUntilMs }) => {
    if (kind !== 'clip' || ms < atMs || ms >= untilMs) return false
    return toldUntilMs === beginsMs ? ms < beginsMs + untoldMs + 1000 : Math.abs(ms - toldUntilMs) < 1000
  })

const places = { Webcam: 'camera', 'Room camera': 'room_camera', 'Phone, from the side': 'side_view' } as const
/** All that cards of these films can say. */
const sentences = [
  ...(['observed', 'not_wanted', 'agreed_break'] as const).map((state) => stretchText({ state, reason: null })),
  ...[...reasons, 'not_reported', 'starting', 'stopping', 'declined'].map((reason) => gapText(reason as GapReason)),
  undecodedText,
]
const nothingReported = 'Not captured: nothing was reported for this time'

/** What is wrong with a film at one moment. */
const problemsAt = (
  overrides: Overrides,
  accounts: readonly SourceAccount[],
  ms: number,
  plan: ReturnType<typeof planOf>,
) => {
  const of = (source: string) => accounts.find((account) => account.source === source)
  const problems: string[] = []
  const all = [['screen', plan.screen] as const, ...plan.insets.map((inset) => [inset.name, inset] as const)]
  for (const [name, place] of all) {
    const { source, label, text } = saidAt(place, ms, overrides.inputs ?? [])
    const own = name === 'screen' ? 'screen' : places[name as keyof typeof places]
    const state = stateAt(of(own), ms)
    if (source !== undefined) {
      const shown = stateAt(of(source) ?? of(own), ms)
      if (shown?.state !== 'observed') problems.push(`${name} at ${ms}: a picture of ${source} in ${shown?.state}`)
      const isOwn = own === 'screen' ? source.startsWith('screen') : source === own
      if (!isOwn) problems.push(`${name} at ${ms}: ${source} in the place of another`)
      const displays = new Set(
        (overrides.inputs ?? []).map((input) => input.source).filter((s) => s.startsWith('screen')),
      )
      if (own === 'screen' && displays.size > 1 && !label) problems.push(`${name} at ${ms}: ${source} without its name`)
    } else if (state?.state === 'observed' && text !== 'No picture yet') problems.push(`${name} at ${ms}: ${text}`)
    else if (state?.state !== 'observed' && text === 'No picture yet') problems.push(`${name} at ${ms}: not observed`)
    if (state?.state === 'observed' && text === nothingReported) problems.push(`${name} at ${ms}: ${text}`)
  }
  return problems
}

describe.each([
  ['a fixed seed', fixedSeed],
  ['a random seed', randomSeed],
])('films of random sessions, of %s, %i', (_, seed) => {
  it('say and show in every second what the account says, in the place of each source', () => {
    const random = seededRandom(seed)
    for (let n = 0; n < planned; n++) {
      const overrides = sessionOf(random)
      const [plan, accounts] = [planOf(overrides), accountsOf(overrides)]
      for (let second = 0; second < lasts; second++) {
        expect(problemsAt(overrides, accounts, second * 1000 + 500, plan), `session ${n} of seed ${seed}`).toEqual([])
        expect(problemsAt(overrides, accounts, second * 1000, plan), `session ${n} of seed ${seed}`).toEqual([])
      }
    }
  })
})

/** Every source has a colour of its own. */
const colours = {
  'screen:2': 'red',
  'screen:10': 'blue',
  camera: 'green',
  room_camera: 'red',
  side_view: 'blue',
} as const satisfies Record<string, Colour>
const css = { red: 'rgb(220,30,30)', blue: 'rgb(30,60,200)', green: 'rgb(40,160,60)' } as const

describe.skipIf(!ffmpeg)(
  `the pictures of films of random sessions, of the seeds ${fixedSeed} and ${randomSeed}`,
  () => {
    let directory: string
    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'film-generated-'))
    })
    afterAll(() => rm(directory, { recursive: true, force: true }))

    const pictures = new Map<string, Promise<Buffer>>()
    const bytesOf = ({ source, evidenceType, durationMs }: PlanInput): Promise<Buffer> => {
      const colour = css[colours[source as keyof typeof colours] ?? 'red']
      const isStill = evidenceType === 'screenshot' || evidenceType === 'camera_frame'
      const seconds = (durationMs ?? untoldMs) / 1000
      const key = `${colour} ${isStill ? 'still' : seconds}`
      const make = async () => {
        if (isStill)
          return sharp({ create: { width: 320, height: 180, channels: 3, background: colour } })
            .png()
            .toBuffer()
        const hex = `0x${colour
          .match(/\d+/g)!
          .map((part) => Number(part).toString(16).padStart(2, '0'))
          .join('')}`
        return makeMedia('mp4', ['-f', 'lavfi', '-i', `color=${hex}:s=64x36:r=5:d=${seconds}`, '-pix_fmt', 'yuv420p'])
      }
      const known = pictures.get(key) ?? make()
      pictures.set(key, known)
      return known
    }

    it.each(Array.from({ length: rendered }, (_, n) => [n % 2 === 0 ? fixedSeed + n : randomSeed + n]))(
      'hold: never a picture in a gap, never one source in the place of another (seed %i)',
      async (seed) => {
        const made = sessionOf(seededRandom(seed))
        const inputs = await Promise.all(
          (made.inputs ?? [])
            .filter(({ evidenceType }) => evidenceType !== 'audio_chunk')
            .map(async (input) => ({ input, bytes: await bytesOf(input) })),
        )
        const overrides: Overrides = {
          ...made,
          inputs: inputs.map(({ input, bytes }) => ({ ...input, sizeBytes: bytes.length })),
        }
        const accounts = accountsOf(overrides)
        const plan = planOf({
          ...overrides,
          open: async function* ({ id }, range) {
            yield inputs.find(({ input }) => input.id === id)!.bytes.subarray(range?.start ?? 0, range?.end)
          },
        })
        const frame = { width: 640, height: 360, framesPerSecond: 1 }
        const looked = await lookAt(plan, directory, frame)
        const layout = layoutFilm(frame.width, frame.height)
        const spots = [
          { name: 'screen', at: 'screen' as const, source: 'screen', place: plan.screen, x: 40, y: 300 },
          ...plan.insets.map((place, i) => {
            const { x, y, height } = layout.insets[i]!.place
            return {
              name: place.name,
              at: i,
              source: places[place.name as keyof typeof places],
              place,
              // Off the edge, which the encoder blurs, and below the name.
              x: x + 8,
              y: y + height - 8,
            }
          }),
        ]
        for (const { name, at, source, place, x, y } of spots) {
          const words = await wordsIn(looked, { ...frame, place: at, sentences })
          for (const [second, colour] of looked.at(x, y).entries()) {
            const where = `${name} at ${second} s of seed ${seed}: ${colour}, ${words[second]}`
            const said = saidAt(place, second * 1000, overrides.inputs ?? [])
            const stateOf = (wanted: string | undefined) =>
              stateAt(
                accounts.find((account) => account.source === wanted),
                second * 1000,
              )
            const state = stateOf(source)
            const ending = endingAt(place, second * 1000)
            // A recording of one display runs on where the gap that was told is of another one.
            const runsOn = stateOf(overrides.inputs?.find(({ id }) => id === ending?.id)?.source)
            const own = Object.entries(colours).filter(([of]) => of === source || of.startsWith(`${source}:`))
            expect(['card', ...own.map(([, one]) => one)], where).toContain(colour)
            expect(words[second] === undefined, where).toBe(colour !== 'card')
            if (state?.state === 'observed') expect(words[second], where).not.toBe(nothingReported)
            if ([state, runsOn ?? state].every((one) => one?.state === 'gap' && isTold(one)))
              expect(colour, where).toBe('card')
            if (ending) continue
            if (said.source) expect(colour, where).toBe(colours[said.source as keyof typeof colours])
            else expect(words[second], where).toBe(said.text)
          }
        }
      },
      240_000,
    )
  },
)
