import { type LaneName, laneEnabled, type Span, unionOf } from '@integrity/protocol'
import type { AccountSession, SideViewInput } from './account.types.ts'
import { expectedOfPhones } from './coverage.side-view.model.ts'

/** When a lane was wanted. What of `whole` is neither wanted nor declined, nobody wanted. */
export interface Wanted {
  readonly whole: Span
  /** Sorted, apart from each other. */
  readonly wanted: readonly Span[]
  readonly declined: readonly Span[]
}

const forEver = Number.POSITIVE_INFINITY

const spansOf = (fromAt: number, toAt: number): Span[] => (toAt > fromAt ? [{ fromAt, toAt }] : [])

/** A session that goes on has an account up to the newest thing that was told of the lane: the rest may be on its way. */
const endOf = ({ endedAt }: AccountSession, newest: number, ...stops: readonly number[]): number =>
  endedAt ?? Math.max(newest, ...stops.filter((at) => at < forEver))

/** When a lane of the agent or the room was wanted; undefined where nobody has answered for it, or the session never began. */
const wantedByConsent = (session: AccountSession, lane: LaneName, newest: number): Wanted | undefined => {
  const { startedAt, consent, config, lanesOff } = session
  if (startedAt === null) return undefined
  const given = consent?.lanes[lane]
  const offAt = laneEnabled(config, lane) ? forEver : (lanesOff[lane] ?? Number.NEGATIVE_INFINITY)
  if (!given && offAt === forEver) return undefined
  const fromAt = Math.max(startedAt, given?.granted ? Date.parse(given.at) : startedAt)
  const withdrawnAt = given?.withdrawnAt ? Date.parse(given.withdrawnAt) : forEver
  const declinedAt = given && !given.granted ? fromAt : withdrawnAt
  const toAt = endOf(session, newest, declinedAt, offAt)
  if (!given || offAt < startedAt) return { whole: { fromAt: startedAt, toAt }, wanted: [], declined: [] }
  return {
    whole: { fromAt, toAt },
    wanted: spansOf(fromAt, Math.min(toAt, declinedAt, offAt)),
    declined: spansOf(Math.max(fromAt, declinedAt), toAt),
  }
}

/** Times in which the newest answer for the phone's lane was no. */
const refusedSpans = ({ answers }: SideViewInput, withdrawnAt: number, toAt: number): readonly Span[] =>
  unionOf([
    ...answers.flatMap(({ granted, at }, n) => (granted ? [] : spansOf(at, answers[n + 1]?.at ?? toAt))),
    ...spansOf(withdrawnAt, toAt),
  ])

const wantedOfPhones = (session: AccountSession, input: SideViewInput): Wanted | undefined => {
  const given = session.consent?.lanes.side_view
  // The phone's words went with an erasure, and with them what was expected.
  if (session.erasedAt !== null && given?.granted) return undefined
  if (session.startedAt === null || !given) return wantedByConsent(session, 'side_view', 0)
  const wanted = expectedOfPhones(session, input)
  const withdrawnAt = given.withdrawnAt ? Date.parse(given.withdrawnAt) : forEver
  const newest = wanted.at(-1)?.toAt ?? session.startedAt
  const toAt = endOf(session, newest, withdrawnAt)
  const declined = refusedSpans(input, withdrawnAt, toAt)
  const begins = [...wanted, ...declined].map(({ fromAt }) => fromAt)
  const fromAt = Math.max(session.startedAt, Math.min(toAt, ...begins))
  return { whole: { fromAt, toAt }, wanted, declined }
}

/** When a lane was wanted; `newest`: what was told of it last. */
export const wantedOf = (
  { session, sideView }: { readonly session: AccountSession; readonly sideView?: SideViewInput | undefined },
  lane: LaneName,
  newest: number,
): Wanted | undefined => {
  const wanted =
    lane === 'side_view'
      ? wantedOfPhones(session, sideView ?? { phones: [], answers: [] })
      : wantedByConsent(session, lane, newest)
  return wanted && wanted.whole.toAt > wanted.whole.fromAt ? wanted : undefined
}
