import { iso } from '../../../kernel/time.ts'
import type { EndpointRow } from './webhooks.types.ts'

/** One shape for lists and single endpoints; the secret is never part of it. */
export const webhookView = (endpoint: EndpointRow, now: number) => ({
  id: endpoint.id,
  environment: endpoint.environment,
  url: endpoint.url,
  eventTypes: endpoint.eventTypes,
  description: endpoint.description,
  status: endpoint.status,
  disabledReason: endpoint.disabledReason,
  consecutiveFailures: endpoint.consecutiveFailures,
  previousSecretUntil:
    endpoint.previousUntil === null || endpoint.previousUntil <= now ? null : iso(endpoint.previousUntil),
  version: endpoint.version,
  createdAt: iso(endpoint.createdAt),
  updatedAt: iso(endpoint.updatedAt),
})
