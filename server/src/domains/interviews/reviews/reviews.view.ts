import { iso, isoOrNull } from '../../../kernel/time.ts'
import type { ShownReview } from './reviews.types.ts'

export const reviewView = (review: ShownReview, now: number) => ({
  id: review.id,
  sessionId: review.sessionId,
  environment: review.environment,
  state: review.state,
  readiness: review.readiness,
  assignee: review.assigneeId === '' ? null : { membershipId: review.assigneeId, name: review.assigneeName ?? '' },
  endedAt: iso(review.endedAt),
  openedAt: iso(review.openedAt),
  completedAt: isoOrNull(review.completedAt),
  waitingMs: Math.max(0, (review.completedAt ?? now) - review.openedAt),
  session: { externalId: review.externalId, candidateLabel: review.candidateLabel },
})
