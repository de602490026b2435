import type { Needs } from '../../../kernel/call.ts'
import type { FanOut } from '../../../kernel/outbox/outbox.ts'
import { announce, isAnnounced, wants } from './announcing.service.ts'
import { listIntegrations } from './integrations.store.ts'

/**
 * Writes one announcement for each app that wants to hear of an event, in the transaction that publishes it. What is
 * tried in the sandbox is no news; other events cost nothing, these one indexed query.
 */
export const chatFanOut =
  (parts: Needs<'clock' | 'jobs' | 'newId'>): FanOut =>
  async (tx, scope, { type, sessionId, requestId }, onlyEndpoint) => {
    if (!isAnnounced(type) || scope.environment !== 'live' || onlyEndpoint !== undefined) return
    const call = { ...parts, tx, scope, requestId: requestId ?? undefined }
    for (const row of await listIntegrations(tx, scope.orgId))
      if (wants(row, type)) await announce(call, { integrationId: row.id, eventType: type, sessionId })
  }
