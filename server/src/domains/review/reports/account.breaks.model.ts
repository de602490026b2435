import { agreedBreaks, clip, type Span, subtract, unionOf } from '@integrity/protocol'
import { summed } from './account.source.model.ts'
import type { AccountInput, AccountStretch, SourceAccount } from './account.types.ts'

const minuteMs = 60_000
/**
 * A break ends by itself, and lanes neither stop nor record again all at once: until the last of them has its first sample,
 * it is still that break.
 */
const settleMs = 15_000

/** A break that was agreed, until when it was, and until when a lane may have needed to record again. */
interface AgreedBreak extends Span {
  readonly settledAt: number
}

/** The breaks that were agreed, as they were taken: the first so many, each for at most so long. What goes beyond is none. */
export const breakSpans = ({ session, gaps }: Pick<AccountInput, 'gaps' | 'session'>): AgreedBreak[] => {
  const agreed = agreedBreaks(session.config)
  if (!agreed) return []
  const taken = unionOf(gaps.filter(({ reason }) => reason === 'break'))
  return taken.slice(0, agreed.count).map((span) => {
    const endsAt = span.fromAt + agreed.minutes * minuteMs
    const settledAt = Math.min(span.toAt, endsAt + settleMs)
    return { fromAt: span.fromAt, toAt: Math.min(span.toAt, endsAt), settledAt }
  })
}

/** Where a stretch that says "break" is in one that was agreed. */
const split = (stretch: AccountStretch, agreedOnes: readonly AgreedBreak[]): AccountStretch[] => {
  if (stretch.reason !== 'break') return [stretch]
  const breaks = agreedOnes.map(({ fromAt, toAt, settledAt }) => ({
    fromAt,
    toAt: stretch.toAt <= settledAt ? settledAt : toAt,
  }))
  const agreed = clip(breaks, stretch).map((span) => ({
    ...stretch,
    ...span,
    state: 'agreed_break' as const,
    reason: null,
  }))
  const beyond = subtract([stretch], breaks).map((span) => ({ ...stretch, ...span }))
  return [...agreed, ...beyond].sort((a, b) => a.fromAt - b.fromAt)
}

/** The account with the agreed breaks, of which nothing was expected. */
export const withBreaks = (account: SourceAccount, breaks: readonly AgreedBreak[]): SourceAccount => {
  if (breaks.length === 0) return account
  const { source, lane, displayId, stretches } = account
  return summed(
    { source, lane, displayId },
    stretches.flatMap((stretch) => split(stretch, breaks)),
  )
}
