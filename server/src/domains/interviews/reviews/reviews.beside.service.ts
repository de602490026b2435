import type { Needs } from '../../../kernel/call.ts'
import { iso, isoOrNull } from '../../../kernel/time.ts'
import { rulesOf } from '../../organisation/retention-rules/retention-rules.service.ts'
import { answerDueAt } from '../statements/answer-due.model.ts'
import { listOpenRequests, listWindows, type OpenRequest } from './reviews.beside.store.ts'
import type { ShownReview } from './reviews.types.ts'

const dayMs = 86_400_000

/** Moments that somebody has played; none is known of before they are counted. */
const openedOf = ({ moments, unopenedMoments }: ShownReview): number =>
  moments === null || unopenedMoments === null ? 0 : moments - (JSON.parse(unopenedMoments) as number[]).length

const requestsView = (open: readonly OpenRequest[]) => {
  const asked = open.filter(({ kind }) => kind !== 'context_statement')
  const due = asked.map(answerDueAt).filter((at) => at !== null)
  return {
    unreadStatements: open.filter(({ kind, hasWords }) => kind === 'context_statement' && hasWords === 1).length,
    openRequests: asked.length,
    answerDueAt: due.length === 0 ? null : iso(Math.min(...due)),
  }
}

/** What a queue shows beside each review, read for all of a page at once. Nothing is derived from a recording here. */
export const readBeside = async (
  call: Needs<'clock' | 'config' | 'reader'>,
  { orgId, reviews }: { readonly orgId: string; readonly reviews: readonly ShownReview[] },
) => {
  const { reader } = call
  const ids = reviews.map(({ sessionId }) => sessionId)
  const requests = Map.groupBy(await listOpenRequests(reader, orgId, ids), ({ sessionId }) => sessionId)
  const windows = new Map((await listWindows(reader, orgId, ids)).map((one) => [one.sessionId, one]))
  const { boundDays } = await rulesOf(call, orgId)
  return (review: ShownReview) => {
    const { sessionId, moments } = review
    const window = windows.get(sessionId)
    return {
      ...requestsView(requests.get(sessionId) ?? []),
      moments,
      deletionDueAt: isoOrNull(window ? window.endedAt + Math.min(window.toldDays, boundDays) * dayMs : null),
      opened: { moments: openedOf(review), ofMoments: moments },
    }
  }
}
