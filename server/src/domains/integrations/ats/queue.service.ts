import type { AtsPush } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Tx } from '../../../platform/db/types.ts'
import type { LinkedSession, SyncRow } from './ats.types.ts'
import { insertSync } from './syncs.store.ts'

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

interface EnqueuePushInput {
  readonly link: LinkedSession
  readonly what: AtsPush
  readonly before?: Pick<SyncRow, 'id' | 'ref'> | undefined
}

/** Has the provider told of a session. */
export const enqueuePush = async (
  call: Queues & Needs<'scope'>,
  { link: { sessionId, connectionId, applicationId }, what, before }: EnqueuePushInput,
): Promise<string> => {
  const id = call.newId('syn')
  await insertSync(call.tx, call.scope.orgId, {
    id,
    connectionId,
    direction: 'outbound',
    what,
    status: 'pending',
    applicationId,
    sessionId,
    wrappedNews: null,
    replayOf: before?.id ?? null,
    ref: before?.ref ?? id,
    createdAt: call.clock.now(),
    nextAttemptAt: firstAttempt(call),
  })
  await enqueueSync(call, { orgId: call.scope.orgId, syncId: id })
  return id
}

export const pushOf: Readonly<Record<string, AtsPush>> = { 'session.ended': 'ended', 'report.finalized': 'report' }
