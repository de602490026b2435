import { agreedBreaks, clip, type Span, subtract, unionOf } from '@integrity/protocol'
import { summed } from './account.source.model.ts'
import type { AccountInput, AccountStretch, SourceAccount } from './account.types.ts'

const minuteMs = 60_000

/** The breaks that were agreed, as they were taken: the first so many, each for at most so long. What goes beyond is none. */
export const breakSpans = ({ session, gaps }: Pick<AccountInput, 'gaps' | 'session'>): Span[] => {
  const agreed = agreedBreaks(session.config)
  if (!agreed) return []
  const taken = unionOf(gaps.filter(({ reason }) => reason === 'break'))
  return taken
    .slice(0, agreed.count)
    .map(({ fromAt, toAt }) => ({ fromAt, toAt: Math.min(toAt, fromAt + agreed.minutes * minuteMs) }))
}

/** Where a stretch that says "break" is in one that was agreed. */
const split = (stretch: AccountStretch, breaks: readonly Span[]): AccountStretch[] => {
  if (stretch.reason !== 'break') return [stretch]
  const agreed = clip(breaks, stretch).map((span) => ({
    ...{ ...stretch, ...span },
    ...{ state: 'agreed_break' as const, reason: null },
  }))
  const beyond = subtract([stretch], breaks).map((span) => ({ ...stretch, ...span }))
  return [...agreed, ...beyond].sort((a, b) => a.fromAt - b.fromAt)
}

/** The account with the agreed breaks, of which nothing was expected. */
export const withBreaks = (account: SourceAccount, breaks: readonly Span[]): SourceAccount => {
  if (breaks.length === 0) return account
  const { source, lane, displayId, stretches } = account
  return summed(
    { source, lane, displayId },
    stretches.flatMap((stretch) => split(stretch, breaks)),
  )
}
