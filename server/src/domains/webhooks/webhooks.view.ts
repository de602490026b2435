import type { AttemptRow, DeliveryRow } from '../deliveries/deliveries.log.store.ts'
import type { EndpointRow } from './webhooks.store.ts'

const iso = (ms: number): string => new Date(ms).toISOString()

/** One shape for lists and single endpoints; the secret is never part of it. */
export const webhookView = (endpoint: EndpointRow) => ({
  id: endpoint.id,
  environment: endpoint.environment,
  url: endpoint.url,
  eventTypes: endpoint.eventTypes,
  description: endpoint.description,
  status: endpoint.status,
  disabledReason: endpoint.disabledReason,
  consecutiveFailures: endpoint.consecutiveFailures,
  createdAt: iso(endpoint.createdAt),
  updatedAt: iso(endpoint.updatedAt),
})

const attemptView = (attempt: AttemptRow) => ({
  attempt: attempt.attempt,
  at: iso(attempt.at),
  durationMs: attempt.durationMs,
  outcome: attempt.outcome,
  ...(attempt.statusCode === null ? {} : { statusCode: attempt.statusCode }),
  ...(attempt.responseExcerpt === null ? {} : { responseExcerpt: attempt.responseExcerpt }),
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
  createdAt: iso(delivery.createdAt),
  attempts: attempts.filter((attempt) => attempt.deliveryId === delivery.id).map(attemptView),
})
