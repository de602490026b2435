import type { Needs } from '../../../kernel/call.ts'
import type { FanOut } from '../../../kernel/outbox/outbox.ts'
import { findConnection } from './connections.store.ts'
import { enqueuePush, pushOf } from './queue.service.ts'
import { findLink } from './syncs.store.ts'

/**
 * Writes what a provider shall be told of, in the transaction that publishes the event. Sessions that no application
 * is behind cost one indexed query.
 */
export const atsFanOut =
  (parts: Needs<'clock' | 'jobs' | 'newId'>): FanOut =>
  async (tx, scope, { type, sessionId, requestId }, onlyEndpoint) => {
    const what = pushOf[type]
    if (what === undefined || sessionId === null || scope.environment !== 'live' || onlyEndpoint !== undefined) return
    const link = await findLink(tx, scope.orgId, sessionId)
    const row = link && (await findConnection(tx, scope.orgId, link.connectionId))
    if (!link || !row || row.disconnectedAt !== null || row.status === 'paused') return
    if (row.settings.push.includes(what))
      await enqueuePush({ ...parts, tx, scope, requestId: requestId ?? undefined }, { link, what })
  }
