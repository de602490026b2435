import { type EvidenceType, type GapReason, gapReasons, type LaneName } from '@integrity/protocol'
import type { FilmItem, FilmPlan, FilmSound, FilmText } from '../../platform/film/film.types.ts'
import type { LaneGap, LaneWindow } from '../lanes/lanes.types.ts'
import { accountOf } from '../reports/account.model.ts'
import { coverageOf } from '../reports/coverage.model.ts'
import type { SessionRow } from '../sessions/sessions.types.ts'
import { captionsOf, type ObservedEvent } from './plan.captions.model.ts'
import {
  clipsOf,
  type Gap,
  gapTextsOf,
  layUnder,
  type PlanInput,
  type Shown,
  type TrackOptions,
  trackOf,
} from './plan.tracks.model.ts'

/** Gives the plain bytes of an input, or a range of them. */
export type OpenInput = (input: PlanInput, range?: { start: number; end: number }) => AsyncIterable<Uint8Array>

export interface PlanFacts {
  /** Ended, and started before. */
  readonly session: SessionRow
  /** Ordered by capture time. */
  readonly inputs: readonly PlanInput[]
  readonly windows: readonly LaneWindow[]
  readonly gaps: readonly LaneGap[]
  readonly events: readonly { readonly kind: string; readonly observedAt: number }[]
  readonly open: OpenInput
}

const notPart = 'Not part of this interview'

/** The registry's sentence as a clause. */
export const gapText = (reason: GapReason): string => {
  if (reason === 'declined') return 'Not captured: declined by the candidate'
  const sentence = gapReasons[reason].replace(/\.$/, '')
  return `Not captured: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
}

/** A still stands for what was seen around it; longer than this nobody can say. */
const holdOf = (intervalSeconds: number): number => Math.max(3 * intervalSeconds, 30) * 1000

const shortestMs = 1000
/** An MP4 counts no further, and nobody is interviewed for longer: such a session was never ended by who began it. */
const longestMs = 24 * 3_600_000

const durationOf = ({ startedAt, endedAt }: SessionRow): number =>
  Math.min(longestMs, Math.max(shortestMs, (endedAt ?? 0) - (startedAt ?? 0)))

interface LaneWords {
  readonly gaps: Gap[]
  readonly emptyText: string
}

/** What is said where a lane shows nothing, from the same source as the report's coverage. */
const wordsOf = ({ session, windows, gaps }: PlanFacts, lane: LaneName): LaneWords => {
  const found = coverageOf(session, accountOf({ session, windows, gaps, objects: [] })).find((one) => one.lane === lane)
  if (!found?.enabled) return { gaps: [], emptyText: notPart }
  const startsAt = session.startedAt ?? 0
  const own = found.gaps.map(
    ({ fromAt, toAt, reason, displayId }): Gap => ({
      atMs: Date.parse(fromAt) - startsAt,
      untilMs: Date.parse(toAt) - startsAt,
      displayId: displayId ?? '',
      text: gapText(reason),
      inferred: reason === 'not_reported',
    }),
  )
  return { gaps: own, emptyText: gapText(found.declined ? 'declined' : 'not_reported') }
}

const textsOf = (gaps: readonly Gap[], durationMs: number): FilmText[] =>
  gapTextsOf(gaps, durationMs).map(({ atMs, untilMs, text }) => ({ fromMs: atMs, toMs: untilMs, text }))

const itemOf =
  (open: OpenInput) =>
  ({ kind, input, atMs, untilMs }: Shown): FilmItem => {
    const { contentType, sizeBytes } = input
    return { kind, atMs, untilMs, contentType, sizeBytes, read: (range) => open(input, range) }
  }

const soundsOf = ({ session, open }: PlanFacts, inputs: readonly PlanInput[], options: TrackOptions): FilmSound[] =>
  inputs
    .map((input): FilmSound => {
      const { contentType, sizeBytes } = input
      const atMs = input.capturedAt - options.startsAt
      const durationMs = input.durationMs ?? session.config.audio.chunkSeconds * 1000
      return { atMs, durationMs, contentType, sizeBytes, read: (range) => open(input, range) }
    })
    .filter(({ atMs, durationMs }) => atMs + durationMs > 0 && atMs < options.durationMs)
    .sort((a, b) => a.atMs - b.atMs)
    .map((sound) => ({ ...sound, atMs: Math.max(0, sound.atMs) }))

/**
 * Lays out the film of an ended session, from its start to its end (at most a day, at least a second). Screen: recordings, else stills, of the main
 * display (see `trackOf`). Corner: the webcam's recordings, else its stills, else the phone's side view. Sound: the
 * microphone. What a lane did not capture is said in the words of the coverage report; captions are observed events.
 */
export const planFilm = (facts: PlanFacts): FilmPlan => {
  const { session, inputs, open } = facts
  const startsAt = session.startedAt ?? 0
  const durationMs = durationOf(session)
  const { capture, camera: cameraConfig, sideView } = session.config
  const of = (type: EvidenceType) => inputs.filter(({ evidenceType }) => evidenceType === type)
  const track = (intervalSeconds: number): TrackOptions => ({ startsAt, durationMs, holdMs: holdOf(intervalSeconds) })

  const screen = wordsOf(facts, 'screen')
  const screenItems = trackOf(
    of('screen_clip'),
    of('screenshot'),
    screen.gaps,
    track(capture.screenshotIntervalSeconds),
  )

  const camera = wordsOf(facts, 'camera')
  const cameraTrack = track(cameraConfig.stillIntervalSeconds)
  const cameraItems = trackOf(of('camera_clip'), of('camera_frame'), camera.gaps, cameraTrack)
  const corner = layUnder(cameraItems, clipsOf(of('side_view_clip'), cameraTrack))
  const onlySideView = camera.emptyText === notPart && sideView.enabled

  const events = facts.events.map(({ kind, observedAt }): ObservedEvent => ({ kind, atMs: observedAt - startsAt }))
  return {
    durationMs,
    startsAt,
    screen: screenItems.map(itemOf(open)),
    screenGaps: textsOf(screen.gaps, durationMs),
    corner: corner.map(itemOf(open)),
    cornerGaps: textsOf(camera.gaps, durationMs),
    sound: soundsOf(facts, of('audio_chunk'), track(capture.screenshotIntervalSeconds)),
    captions: captionsOf(events, durationMs),
    emptyText: { screen: screen.emptyText, corner: onlySideView ? gapText('not_reported') : camera.emptyText },
  }
}
