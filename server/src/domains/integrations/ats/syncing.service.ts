import { maxAttempts, notFound, retryWaitsSeconds, ServiceError } from '@integrity/protocol'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import type { JobCall } from '../../../kernel/jobs/define-job.ts'
import { pageFor } from '../../../kernel/page-links.ts'
import { type List, type PageQuery, readPage } from '../../../kernel/paging.ts'
import { iso } from '../../../kernel/time.ts'
import { askToLookAgain } from '../../../platform/ats/greenhouse-assessment.ts'
import type { Note } from '../../../platform/ats/types.ts'
import { GiveUp } from '../../../platform/give-up.ts'
import { judged, ProviderFailed } from '../../../platform/provider/provider-failed.ts'
import { RetryLater } from '../../../platform/retry-later.ts'
import { newestRevision } from '../../interviews/reviews/revisions.service.ts'
import type { ConnectionRow, LinkedSession, SyncRow } from './ats.types.ts'
import { getConnected, getConnection } from './connecting.service.ts'
import { findConnection, markBroken, markTried } from './connections.store.ts'
import { workInbound } from './inbound.service.ts'
import { atsOf, unseal } from './providers.service.ts'
import { enqueuePush, enqueueSync, firstAttempt } from './queue.service.ts'
import {
  countSyncs,
  findLink,
  findSync,
  followMerge,
  insertSync,
  type ListedSyncs,
  markEnded,
  markRetry,
  pageOfSyncs,
} from './syncs.store.ts'

/** What is beside the candidate: that something happened and where to look. Never evidence, never a judgement. */
const noteOf = async (call: JobCall, { what, ref }: SyncRow, sessionId: string): Promise<Note> => {
  const at = pageFor(call, { kind: what === 'report' ? 'report' : 'session', id: sessionId })
  const end = `\n(interview ${sessionId}, note ${ref})`
  if (what === 'scheduled') return { ref, text: `The interview was scheduled: ${at}${end}` }
  if (what === 'ended') return { ref, text: `The interview has ended: ${at}${end}` }
  const signed = await newestRevision(call, sessionId)
  const facts = signed ? `, revision ${signed.revision} of ${iso(signed.signedOffAt)}, SHA-256 ${signed.sha256}` : ''
  return { ref, text: `The report of the interview was signed${facts}: ${at}${end}` }
}

/** Greenhouse reads the status again: whatever is new, the message is the same. */
const tellGreenhouse = async (call: JobCall, row: ConnectionRow, { test }: LinkedSession): Promise<void> => {
  const place = { orgId: call.scope.orgId, id: row.id }
  if (!test || row.wrappedSecret === null) throw notFound('test')
  const url = unseal(call, { what: 'callback', ...place, wrapped: test.wrappedUrl }) as string
  const key = unseal(call, { what: 'secret', ...place, wrapped: row.wrappedSecret }) as string
  await askToLookAgain(call.httpOut, { url, key, addresses: call.config.ats })
}

const writeNote = async (
  call: JobCall,
  { row, sync }: Parameters<typeof workInbound>[1],
  link: LinkedSession,
): Promise<string> => {
  const again = sync.attempts > 0 || sync.replayOf !== null
  return atsOf(call, { orgId: call.scope.orgId, row }).push(link, await noteOf(call, sync, link.sessionId), again)
}

const workOutbound = async (call: JobCall, { row, sync }: Parameters<typeof workInbound>[1]): Promise<void> => {
  const { orgId } = call.scope
  const link = sync.sessionId === null ? undefined : await findLink(call.reader, orgId, sync.sessionId)
  if (!link) throw notFound('session')
  const isTest = row.provider === 'greenhouse_assessment'
  if (isTest) await tellGreenhouse(call, row, link)
  const candidateId = isTest ? link.candidateId : await writeNote(call, { row, sync }, link)
  const now = call.clock.now()
  await call.db.transact(async (tx) => {
    if (candidateId !== link.candidateId) await followMerge(tx, orgId, { ...link, candidateId })
    await markEnded(tx, orgId, sync, { status: 'done', problem: null, now })
  })
}

const fail = async (call: JobCall, row: ConnectionRow, sync: SyncRow, error: unknown): Promise<never> => {
  const { orgId } = call.scope
  const { isFinal, problem } = judged(error)
  const now = call.clock.now()
  const seconds = isFinal ? undefined : retryWaitsSeconds[sync.attempts]
  const asked = error instanceof ProviderFailed ? (error.waitMs ?? 0) : 0
  const waitMs = seconds === undefined ? undefined : Math.max(seconds * 1000, asked)
  await call.db.transact(async (tx) => {
    if (error instanceof ProviderFailed && error.kind === 'ends') await markBroken(tx, orgId, row, problem)
    if (waitMs === undefined) return markEnded(tx, orgId, sync, { status: 'failed', problem, now })
    return markRetry(tx, orgId, sync.id, { problem, nextAttemptAt: now + waitMs })
  })
  if (waitMs === undefined) throw new GiveUp(problem)
  call.log.warn({ err: error, syncId: sync.id }, 'an applicant tracking system could not be told or asked')
  throw new RetryLater(problem, waitMs)
}

/** One attempt at one row of the sync log. */
export const runSync = async (call: JobCall, syncId: string): Promise<void> => {
  const { orgId } = call.scope
  const sync = await findSync(call.reader, orgId, syncId)
  if (sync?.status !== 'pending') return
  const row = await findConnection(call.reader, orgId, sync.connectionId)
  if (!row || row.disconnectedAt !== null) {
    const gone = { status: 'failed', problem: 'the connection was taken away', now: call.clock.now() } as const
    return call.db.transact((tx) => markEnded(tx, orgId, sync, gone))
  }
  try {
    await (sync.direction === 'inbound' ? workInbound : workOutbound)(call, { row, sync })
    // What was wrong when it was tried last is over.
    if (sync.direction === 'outbound' && row.problem !== null)
      await call.db.transact((tx) => markTried(tx, orgId, row, { status: 'connected', problem: null }))
  } catch (error) {
    await fail(call, row, sync, error)
  }
}

/** As with webhooks: the attempts of a row, and no more. */
export const syncAttempts = maxAttempts

export const listSyncs = async (
  call: Needs<'reader'>,
  { orgId, query }: { readonly orgId: string; readonly query: PageQuery & ListedSyncs },
) => {
  const { reader } = call
  const { connectionId, direction, status } = query
  await getConnection(call, { orgId, id: connectionId })
  const filters = { connectionId, direction, status }
  const list: List<SyncRow> = {
    of: ['ats_syncs', orgId, connectionId, direction ?? null, status ?? null],
    kinds: ['number', 'string'],
    keyOf: ({ createdAt, id }) => [createdAt, id],
    fetch: (stretch) => pageOfSyncs(reader, orgId, filters, stretch),
  }
  return { page: await readPage(list, query), total: await countSyncs(reader, orgId, filters) }
}

/** Runs one that failed again, as a new one. */
export const replaySync = async (
  call: By<ActorOf<'user'>> & Needs<'audit' | 'clock' | 'jobs' | 'newId' | 'tx'>,
  { connectionId, syncId }: { readonly connectionId: string; readonly syncId: string },
): Promise<SyncRow> => {
  const { tx, actor } = call
  const { orgId } = actor
  await getConnected({ reader: tx }, { orgId, id: connectionId })
  const before = await findSync(tx, orgId, syncId)
  if (before?.connectionId !== connectionId) throw notFound('entry of the sync log')
  if (before.status !== 'failed')
    throw new ServiceError('conflict', `only a failed entry can be sent again; this one is ${before.status}`, {
      extra: { reason: before.status },
    })
  if (before.what === 'response_error')
    throw new ServiceError('conflict', 'Greenhouse said this: there is nothing to run again')
  const scope = { orgId, environment: 'live' } as const
  const { direction, what, applicationId, sessionId } = before
  if (applicationId === null)
    throw new ServiceError(
      'conflict',
      direction === 'inbound' && sessionId === null
        ? 'the message named no application: there is nothing to run again'
        : 'the session was erased: nobody is told of it any more',
    )
  let id: string
  if (direction === 'outbound' && what !== 'stage_change' && sessionId !== null)
    id = await enqueuePush(
      { ...call, scope },
      { link: { sessionId, connectionId, applicationId, candidateId: '' }, what, before },
    )
  else {
    id = call.newId('syn')
    await insertSync(tx, orgId, {
      id,
      connectionId,
      direction,
      what,
      status: 'pending',
      applicationId,
      sessionId,
      wrappedNews: null,
      replayOf: before.id,
      ref: before.ref,
      createdAt: call.clock.now(),
      nextAttemptAt: firstAttempt(call),
    })
    await enqueueSync(call, { orgId, syncId: id })
  }
  await call.audit.append(
    { tx, scope: { orgId }, actor },
    { action: 'ats.replayed', target: id, payload: { of: syncId } },
  )
  const row = await findSync(tx, orgId, id)
  if (!row) throw new Error('a row that was just written is gone')
  return row
}
