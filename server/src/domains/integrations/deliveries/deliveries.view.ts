import { iso } from '../../../kernel/time.ts'
import type { AttemptRow, DeliveryRow } from './deliveries.log.store.ts'

const attemptView = (attempt: AttemptRow) => ({
  attempt: attempt.attempt,
  at: iso(attempt.at),
  durationMs: attempt.durationMs,
  outcome: attempt.outcome,
  ...(attempt.statusCode === null ? {} : { statusCode: attempt.statusCode }),
  ...(attempt.responseExcerpt === null ? {} : { responseExcerpt: attempt.responseExcerpt }),
  ...(attempt.error === null ? {} : { error: attempt.error }),
  ...(attempt.errorCode === null ? {} : { errorCode: attempt.errorCode }),
})

/** While an attempt is under way no next one is due yet. */
export const deliveryView = (delivery: DeliveryRow, attempts: readonly AttemptRow[]) => ({
  id: delivery.id,
  eventId: delivery.eventId,
  eventType: delivery.eventType,
  status: delivery.status,
  attemptCount: delivery.attemptCount,
  nextAttemptAt: delivery.nextAttemptAt === null || delivery.leaseOwner !== null ? null : iso(delivery.nextAttemptAt),
  ...(delivery.replayOf === null ? {} : { replayOf: delivery.replayOf }),
  ...(delivery.isExample === 1 ? { example: true as const } : {}),
  ...(delivery.fault === null ? {} : { fault: delivery.fault }),
  createdAt: iso(delivery.createdAt),
  attempts: attempts.filter((attempt) => attempt.deliveryId === delivery.id).map(attemptView),
})
