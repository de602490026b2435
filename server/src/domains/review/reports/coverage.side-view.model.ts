import {
  type GapReason,
  presenceIntervalSeconds,
  presenceMissedIntervals,
  type Span,
  unionOf,
} from '@integrity/protocol'
import type { LaneGap, LaneWindow } from '../../interviews/lanes/lanes.types.ts'
import type { PhonePresence } from '../../recording/companions/presence.log.service.ts'
import type { AccountSession, SideViewInput } from './account.types.ts'

/** A stretch of time and why nothing was seen in it; without a reason the phone was there. */
interface Stretch extends Span {
  readonly reason?: GapReason
}

/** Silence after which a phone counts as interrupted, milliseconds. */
const silenceMs = presenceIntervalSeconds * presenceMissedIntervals * 1000
/** A phone that begins to speak sooner than this was starting up, milliseconds. */
const startUpMs = 15_000
const forEver = Number.POSITIVE_INFINITY

/** What the phone's own words mean; any other says only that it was interrupted. */
const reasons: Readonly<Record<string, GapReason>> = {
  permission_denied: 'permission_denied',
  camera_missing: 'unplugged',
  storage_full: 'storage_full',
  background: 'in_background',
}

/** The times in which consent stood, the last one perhaps without an end. */
const consented = (answers: SideViewInput['answers'], withdrawnAt: number): Span[] =>
  answers.flatMap(({ granted, at }, n) => {
    const toAt = answers[n + 1]?.at ?? withdrawnAt
    return granted && toAt > at ? [{ fromAt: at, toAt }] : []
  })

/** While the session is live a phone may still deliver what it said; until then its newest word is the end. */
const newest = ({ beats, pairedAt }: PhonePresence): number => beats.at(-1)?.at ?? pairedAt

const expectedSpans = (session: AccountSession, { answers }: SideViewInput, phone: PhonePresence): Span[] => {
  // An erased phone's words are gone, and so is what could be said of its time.
  if (session.startedAt === null || session.erasedAt !== null) return []
  const { startedAt } = session
  const withdrawn = session.consent?.lanes.side_view?.withdrawnAt
  // Only the last time that the policy switched the lane off is known.
  const ends = [session.endedAt ?? forEver, phone.endedAt ?? forEver, session.lanesOff.side_view ?? forEver]
  return consented(answers, withdrawn ? Date.parse(withdrawn) : forEver)
    .map((span) => {
      const toAt = Math.min(span.toAt, ...ends)
      return {
        fromAt: Math.max(span.fromAt, startedAt, phone.pairedAt),
        toAt: toAt === forEver ? newest(phone) : toAt,
      }
    })
    .filter(({ fromAt, toAt }) => toAt > fromAt)
}

/** The times in which some phone of the session was expected to tell of itself. */
export const expectedOfPhones = (session: AccountSession, input: SideViewInput): readonly Span[] =>
  unionOf(...input.phones.map((phone) => expectedSpans(session, input, phone)))

/** The index of the first beat after a moment; beats are in order. */
const firstAfter = (beats: PhonePresence['beats'], at: number): number => {
  let [low, high] = [0, beats.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (beats[middle]!.at > at) high = middle
    else low = middle + 1
  }
  return low
}

/** What the phone said of a span: each word holds until the next one, if that comes before it counts as interrupted. */
const stretchesOf = (span: Span, { beats }: PhonePresence): Stretch[] => {
  // From the last word before the span on: it may still hold.
  const begin = Math.max(0, firstAfter(beats, span.fromAt) - 1)
  const said = beats.slice(begin, firstAfter(beats, span.toAt - 1))
  const first = said[0]?.at ?? span.toAt
  const words = said.map(({ at, recording, reason }, n): Stretch => {
    const toAt = said[n + 1]?.at ?? span.toAt
    if (toAt - at >= silenceMs) return { fromAt: at, toAt, reason: 'not_reported' }
    if (recording !== 'interrupted') return { fromAt: at, toAt }
    return { fromAt: at, toAt, reason: reasons[reason ?? ''] ?? 'interrupted' }
  })
  const before: Stretch[] =
    first - span.fromAt >= startUpMs ? [{ fromAt: span.fromAt, toAt: first, reason: 'not_reported' }] : []
  return [...before, ...words]
    .map((stretch) => ({ ...stretch, fromAt: Math.max(stretch.fromAt, span.fromAt) }))
    .filter(({ fromAt, toAt }) => toAt > fromAt)
}

/** Neighbours of one kind are one stretch. */
const joined = (stretches: readonly Stretch[]): Stretch[] => {
  const all: Stretch[] = []
  for (const stretch of stretches) {
    const before = all.at(-1)
    if (before && before.reason === stretch.reason && before.toAt === stretch.fromAt)
      all[all.length - 1] = { ...before, toAt: stretch.toAt }
    else all.push(stretch)
  }
  return all
}

/**
 * The phone's lane as the agent would report one of its own: time in which the phone said that it was there, and gaps
 * with their reasons. Expected from its consent until the session ends, consent is withdrawn, the policy switches the
 * lane off, or the phone is let go.
 */
export const sideViewReports = (
  session: AccountSession,
  input: SideViewInput,
): { windows: LaneWindow[]; gaps: LaneGap[] } => {
  const stretches = input.phones.flatMap((phone) =>
    joined(expectedSpans(session, input, phone).flatMap((span) => stretchesOf(span, phone))),
  )
  const windows: LaneWindow[] = []
  const gaps: LaneGap[] = []
  for (const { fromAt, toAt, reason } of stretches) {
    const place = { lane: 'side_view', displayId: '', fromAt, toAt } as const
    const seconds = (toAt - fromAt) / 1000
    if (reason === undefined) windows.push({ ...place, expectedSeconds: seconds, observedSeconds: seconds })
    else gaps.push({ ...place, reason })
  }
  return { windows, gaps }
}
