import type { AtsPush } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import type { Scope } from '../../../kernel/identity/scope.ts'
import type { FanOut } from '../../../kernel/outbox/outbox.ts'
import type { Tx } from '../../../platform/db/types.ts'
import type { LinkedSession, SyncRow } from './ats.types.ts'
import { findConnection } from './connections.store.ts'
import { findLink, insertSync } from './syncs.store.ts'

type Queues = Needs<'clock' | 'jobs' | 'newId' | 'requestId'> & { readonly tx: Tx }

/** When the first attempt is due: at once. */
export const firstAttempt = (call: Needs<'clock'>): number => call.clock.now()

export const enqueueSync = async (
  call: Needs<'jobs' | 'tx'>,
  { orgId, syncId }: { readonly orgId: string; readonly syncId: string },
): Promise<void> => {
  const scope: Scope = { orgId, environment: 'live' }
  await call.jobs.enqueue({ ...call, scope }, { kind: 'ats.sync', payload: { syncId } })
}

/** Has the provider told of a session. */
export const enqueuePush = async (
  call: Queues & Needs<'scope'>,
  {
    link: { sessionId, connectionId, applicationId },
    what,
    before,
  }: {
    readonly link: LinkedSession
    readonly what: AtsPush
    readonly before?: Pick<SyncRow, 'id' | 'ref'> | undefined
  },
): Promise<string> => {
  const id = call.newId('syn')
  await insertSync(call.tx, call.scope.orgId, {
    ...{
      id,
      connectionId,
      direction: 'outbound',
      what,
      status: 'pending',
      applicationId,
      sessionId,
      wrappedNews: null,
    },
    ...{ replayOf: before?.id ?? null, ref: before?.ref ?? id },
    ...{ createdAt: call.clock.now(), nextAttemptAt: firstAttempt(call) },
  })
  await enqueueSync(call, { orgId: call.scope.orgId, syncId: id })
  return id
}

const pushOf: Readonly<Record<string, AtsPush>> = { 'session.ended': 'ended', 'report.finalized': 'report' }

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
