import { atsMessageBytes, notFound } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import type { JobCall } from '../../../kernel/jobs/define-job.ts'
import { notSigned } from '../../../platform/ats/signatures.ts'
import type { AtsNews, SignedMessage, Stage } from '../../../platform/ats/types.ts'
import { lockPeople } from '../../organisation/people/guards.service.ts'
import type { AtsSettings, ConnectionRow, SyncRow } from './ats.types.ts'
import { findConnection } from './connections.store.ts'
import { atsOf, newsOf, seal, unseal } from './providers.service.ts'
import { openSessionOf, provision } from './provisioning.service.ts'
import { enqueueSync, firstAttempt } from './queue.service.ts'
import { insertKeys, insertSync, lockSync, markEnded, type Outcome } from './syncs.store.ts'

type News = NonNullable<AtsNews['entered']>

/** Where a message came to, with what it says once its signature holds. Nobody learns which addresses there are. */
export const readInbound = async (
  call: Needs<'clock' | 'keyring' | 'reader'>,
  {
    orgId,
    configId,
    message,
  }: { readonly orgId: string; readonly configId: string; readonly message: Omit<SignedMessage, 'now'> },
): Promise<{ readonly row: ConnectionRow; readonly news: AtsNews }> => {
  const row = await findConnection(call.reader, orgId, configId)
  // Greenhouse calls assessments by their own addresses, and signs nothing.
  if (!row?.wrappedSecret || row.provider === 'greenhouse_assessment') throw notSigned()
  if (message.bytes.length > atsMessageBytes[row.provider]) throw notSigned()
  const secret = unseal(call, { what: 'secret', orgId, id: configId, wrapped: row.wrappedSecret }) as string
  return { row, news: newsOf(row.provider, { secret, message: { ...message, now: call.clock.now() } }) }
}

/** Durable when it resolves: who entered a stage is worked on, once however often it is told. */
export const takeInbound = async (
  call: Needs<'clock' | 'jobs' | 'keyring' | 'newId' | 'tx'>,
  { orgId, read: { row, news } }: { readonly orgId: string; readonly read: Awaited<ReturnType<typeof readInbound>> },
): Promise<void> => {
  const { tx } = call
  // It was read before the transaction, and may have been disconnected since.
  if (!(await findConnection(tx, orgId, row.id))?.wrappedSecret) throw notSigned()
  const now = call.clock.now()
  const isNew = await insertKeys(tx, orgId, row.id, { keys: news.keys, now })
  if (!isNew || (!news.entered && news.unreadable === undefined)) return
  const id = call.newId('syn')
  const applicationId = news.entered?.applicationId ?? null
  const sync = { id, connectionId: row.id, direction: 'inbound', what: 'stage_change' } as const
  await insertSync(tx, orgId, {
    ...sync,
    status: 'pending',
    applicationId,
    sessionId: null,
    replayOf: null,
    ref: id,
    createdAt: now,
    wrappedNews: news.entered ? seal(call, { what: 'news', orgId, id, value: news.entered }) : null,
    nextAttemptAt: firstAttempt(call),
  })
  if (news.entered) return enqueueSync(call, { orgId, syncId: id })
  // It is the provider's, so it was taken; nobody would see that it says nothing any more.
  const problem = `the message is not as the provider's interface says: ${news.unreadable} is not as it should be`
  await markEnded(tx, orgId, sync, { status: 'failed', problem, now })
}

/** The stage that was entered, as far as it is known. */
const enteredStage = ({ stage, application }: News): Stage => {
  const now = application?.stage
  if (stage === null) return { id: null, name: null }
  const entered = stage.id === null && stage.name === null && now ? now : stage
  // A name that only the application has is of where they stand now, which may be further on.
  return { id: entered.id, name: entered.name ?? (now?.id === entered.id ? now?.name : null) ?? null }
}

const said = (text: string | null): string => text?.trim().toLowerCase() ?? ''

/** Stages are named by their id or their name. */
const isNamed = ({ id, name }: Stage, wanted: string): boolean =>
  [id, name].some((one) => one !== null && said(one) === said(wanted))

/** Why nothing is made of it; undefined where something is. */
const passedOver = ({ status, settings }: ConnectionRow, stage: Stage): string | undefined => {
  if (status === 'paused') return 'the connection was paused'
  if (stage.id === null && stage.name === null) return 'they entered no stage'
  return settings.triggerStages.some((one) => isNamed(stage, one)) ? undefined : 'the stage is none of triggerStages'
}

const policyOf = ({ mapping, policyId }: AtsSettings, stage: Stage): string | null =>
  mapping.policies.find((one) => isNamed(stage, one.stage))?.policyId ?? policyId

/** One attempt to handle an inbound message. */
export const workInbound = async (
  call: JobCall,
  { row, sync }: { readonly row: ConnectionRow; readonly sync: SyncRow },
): Promise<void> => {
  const { orgId } = call.scope
  const kept =
    sync.wrappedNews === null
      ? undefined
      : unseal(call, { what: 'news', orgId, id: sync.id, wrapped: sync.wrappedNews })
  const applicationId = sync.applicationId ?? ''
  let news: News = (kept as News | undefined) ?? { applicationId, stage: { id: null, name: null } }
  // What a signature does not cover is asked for; about somebody who is in no stage there is nothing to ask.
  if (!news.application && news.stage !== null && row.status !== 'paused')
    news = { ...news, application: await atsOf(call, { orgId, row }).readApplication(applicationId) }
  await call.db.transact(async (tx) => {
    const inside = { ...call, tx, reader: tx }
    const current = await lockSync(tx, orgId, sync.id)
    if (current?.status !== 'pending') return
    const end = (outcome: Omit<Outcome, 'now'>) => markEnded(tx, orgId, current, { ...outcome, now: call.clock.now() })
    const stage = enteredStage(news)
    const problem = passedOver(row, stage)
    if (problem !== undefined) return end({ status: 'ignored', problem })
    if (!news.application) throw notFound('application')
    // Two stages at once are one session: whoever comes second sees the first one's.
    await lockPeople(inside, orgId)
    const open = await openSessionOf(inside, { connectionId: row.id, applicationId })
    if (open !== undefined)
      return end({
        status: 'ignored',
        problem: 'there is a session already that is not over',
        sessionId: open.sessionId,
      })
    const { sessionId, problem: notAsWished } = await provision(inside, {
      row,
      application: news.application,
      policyId: policyOf(row.settings, stage),
    })
    return end({ status: 'done', sessionId, problem: notAsWished })
  })
}
