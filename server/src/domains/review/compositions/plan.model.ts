import type { EvidenceType } from '@integrity/protocol'
import type { FilmItem, FilmPlace, FilmPlan, FilmSound, FilmText } from '../../../platform/film/film.types.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import type { SourceAccount } from '../reports/account.types.ts'
import { filmAccount } from './plan.account.model.ts'
import { captionsOf, cutCaptions, soundGapCaptions } from './plan.captions.model.ts'
import { type LabelledLayer, type PlanEvent, screenLayers } from './plan.displays.model.ts'
import { type Laid, layersOf, type PlanInput, soundsOf } from './plan.tracks.model.ts'

/** Gives the plain bytes of an input, or a range of them. */
export type OpenInput = (input: PlanInput, range?: { start: number; end: number }) => AsyncIterable<Uint8Array>

export interface PlanFacts {
  /** Ended, and started before. */
  readonly session: Pick<SessionRow, 'startedAt' | 'endedAt' | 'config'>
  /** Of every source: what the film shows, and what it says, is what they say. */
  readonly accounts: readonly SourceAccount[]
  /** Ordered by capture time. */
  readonly inputs: readonly PlanInput[]
  /** What was so when it began. */
  readonly atStart: readonly PlanEvent[]
  /** What happened. */
  readonly events: readonly PlanEvent[]
  /** Worth a look; each is a chapter. */
  readonly moments: readonly { readonly at: number; readonly title: string }[]
  /** What was said, milliseconds after the start of the session. */
  readonly speech: readonly FilmText[]
  readonly open: OpenInput
}

const shortestMs = 1000
/** An MP4 counts no further, and nobody is interviewed for longer: such a session was never ended by who began it. */
const longestMs = 24 * 3_600_000

const itemOf =
  (open: OpenInput) =>
  ({ kind, input, label, ...times }: LabelledLayer): FilmItem => {
    const { id, contentType, sizeBytes } = input
    const { atMs, untilMs, beginsMs, toldUntilMs } = times
    const read: FilmItem['read'] = (range) => open(input, range)
    return { kind, id, beginsMs, atMs, untilMs, toldUntilMs, contentType, sizeBytes, read, ...(label && { label }) }
  }

const soundOf =
  (open: OpenInput) =>
  (laid: Laid): FilmSound => {
    const { kind: _, ...sound } = itemOf(open)(laid)
    return sound
  }

/** The small places, from below: each source has its own, with its name. */
const insets = [
  { source: 'camera', name: 'Webcam', clips: 'camera_clip', stills: 'camera_frame' },
  { source: 'room_camera', name: 'Room camera', clips: undefined, stills: 'camera_frame' },
  { source: 'side_view', name: 'Phone, from the side', clips: 'side_view_clip', stills: undefined },
] as const satisfies readonly {
  readonly source: string
  readonly name: string
  readonly clips: EvidenceType | undefined
  readonly stills: EvidenceType | undefined
}[]

interface Film {
  readonly startsAt: number
  readonly durationMs: number
  readonly accounts: ReadonlyMap<string, SourceAccount>
}

const insetOf = (facts: PlanFacts, film: Film, { source, name, ...types }: (typeof insets)[number]) => {
  const inputs = facts.inputs.filter((input) => input.source === source)
  const of = (type: EvidenceType | undefined) => inputs.filter(({ evidenceType }) => evidenceType === type)
  const { times, texts, emptyText, isPart } = filmAccount(film.accounts.get(source), film)
  const layers = layersOf(of(types.clips), of(types.stills), times)
  const place: FilmPlace = { name, items: layers.map(itemOf(facts.open)), texts, emptyText }
  return { place, isShown: isPart || layers.length > 0 }
}

/** The webcam's place, even where it is no part of the interview, when there is no other. */
const insetsOf = (facts: PlanFacts, film: Film): FilmPlace[] => {
  const all = insets.map((inset) => insetOf(facts, film, inset))
  const shown = all.filter(({ isShown }) => isShown)
  return (shown.length > 0 ? shown : all.slice(0, 1)).map(({ place }) => place)
}

const screenOf = (facts: PlanFacts, film: Film): FilmPlace => {
  const { texts, emptyText } = filmAccount(film.accounts.get('screen'), film)
  const inputs = facts.inputs.filter(({ source }) => source === 'screen' || source.startsWith('screen:'))
  const layers = screenLayers(inputs, { ...film, events: [...facts.atStart, ...facts.events] })
  return { name: '', items: layers.map(itemOf(facts.open)), texts, emptyText }
}

const chaptersOf = ({ moments }: PlanFacts, { startsAt, durationMs }: Film): FilmPlan['chapters'] => {
  const chapters = new Map<number, string>([[0, 'Start']])
  for (const { at, title } of [...moments].sort((a, b) => a.at - b.at)) {
    const atMs = Math.max(0, at - startsAt)
    if (atMs >= durationMs) continue
    const before = chapters.get(atMs)
    chapters.set(atMs, before && atMs > 0 ? `${before} · ${title}` : title)
  }
  return [...chapters].map(([atMs, title]) => ({ atMs, title }))
}

const subtitlesOf = ({ speech }: PlanFacts, { durationMs }: Film): FilmText[] =>
  speech
    .map(({ fromMs, toMs, text }) => ({ fromMs: Math.max(0, fromMs), toMs: Math.min(durationMs, toMs), text }))
    .filter(({ fromMs, toMs }) => toMs > fromMs)
    .sort((a, b) => a.fromMs - b.fromMs)

/**
 * Lays out the film of an ended session, from its start to its end (at most a day, at least a second). Every source has
 * its own place, and shows and says what its account says; sound is the microphone's; captions are observed events.
 */
export const planFilm = (facts: PlanFacts): FilmPlan => {
  const { session, inputs, open } = facts
  const startsAt = session.startedAt ?? 0
  const wholeMs = (session.endedAt ?? 0) - startsAt
  const durationMs = Math.min(longestMs, Math.max(shortestMs, wholeMs))
  const film: Film = { startsAt, durationMs, accounts: new Map(facts.accounts.map((one) => [one.source, one])) }
  const microphone = filmAccount(film.accounts.get('microphone'), film)
  const sounds = inputs.filter(({ evidenceType }) => evidenceType === 'audio_chunk')
  return {
    durationMs,
    startsAt,
    screen: screenOf(facts, film),
    insets: insetsOf(facts, film),
    sound: soundsOf(sounds, microphone.times).map(soundOf(open)),
    captions: [
      ...captionsOf(facts, film),
      ...soundGapCaptions(film.accounts.get('microphone'), film),
      ...cutCaptions(wholeMs, durationMs),
    ],
    chapters: chaptersOf(facts, film),
    subtitles: subtitlesOf(facts, film),
  }
}
