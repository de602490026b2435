import {
  type captureEnd,
  ServiceError,
  type SessionConfigPatch,
  secretPrefixes,
  sessionConfig,
} from '@integrity/protocol'
import type * as z from 'zod'
import type { SessionRecord } from '../../../kernel/audit/audit.commitments.ts'
import type { Needs, Reads, WriteCall } from '../../../kernel/call.ts'
import type { AuditActor } from '../../../kernel/identity/actor.ts'
import { leftRecords } from '../../../kernel/session-records.ts'
import { iso } from '../../../kernel/time.ts'
import { newSecret } from '../../../platform/crypto/secrets.ts'
import { refuseBeyondPlan } from '../../organisation/plans/plans.service.ts'
import { windowRecord } from '../../organisation/retention-rules/retention-rules.records.service.ts'
import { rulesOf } from '../../organisation/retention-rules/retention-rules.service.ts'
import { closeWindow, openWindow } from '../../organisation/retention-rules/windows.service.ts'
import { keepCaptureEnd } from '../capture-keys/capture-keys.service.ts'
import { noteChange, openReview } from '../reviews/changes.service.ts'
import { policyForSession } from '../session-policies/session-policies.service.ts'
import { withoutWords } from './consent/aids.model.ts'
import { credentialLifetimeMs, eraseLabels, insertCredential } from './joining/credentials.store.ts'
import { refuseHeld, toldDays } from './joining/window.service.ts'
import { addWords } from './lists/session-words.service.ts'
import { sessionsOfMonth } from './lists/sessions.month.service.ts'
import { sessionRecord } from './lists/sessions.records.service.ts'
import { announceChange } from './live.wake.service.ts'
import { mergeConfig } from './sessions.config.service.ts'
import { lateDeliveryMs, readBeginning } from './sessions.policy.ts'
import { getSession, lockSession } from './sessions.read.service.ts'
import { changeState, insertSession, nextPosition, updateSession } from './sessions.store.ts'
import type { SessionRow } from './sessions.types.ts'
import { sessionRef } from './sessions.view.ts'

export interface CreateInput {
  externalId?: string | undefined
  candidateLabel?: string | undefined
  config?: SessionConfigPatch | undefined
  policyId?: string | undefined
  schedule?: { startsAt: string; durationMinutes: number; timeZone: string } | undefined
}

/** Who had a session made. */
export interface Provisioner {
  readonly kind: string
  readonly id: string
  readonly label: string | null
}
/** A key by its label, a member by their address. */
const provisionerOf = (
  actor: AuditActor & { readonly label?: string | null; readonly email?: string },
): Provisioner => ({
  kind: actor.kind,
  id: actor.id,
  label: actor.kind === 'api_key' ? (actor.label ?? null) : actor.kind === 'user' ? (actor.email ?? null) : null,
})

const scheduleOf = (schedule: NonNullable<CreateInput['schedule']>, now: number) => ({
  ...schedule,
  startsAt: iso(readBeginning(schedule.startsAt, 'schedule.startsAt', now)),
})

/** What a session is made with that names nothing. */
const usualConfig = async (call: Reads & Needs<'clock' | 'config'>) => {
  const { defaultDays } = await rulesOf(call, call.scope.orgId)
  return sessionConfig.parse(defaultDays === null ? {} : { retentionDays: defaultDays })
}

export const createSession = async (
  call: WriteCall & Needs<'config' | 'keptBytes'>,
  {
    input,
    provisionedBy = provisionerOf(call.actor),
  }: { readonly input: CreateInput; readonly provisionedBy?: Provisioner | undefined },
) => {
  const { tx, scope } = call
  const now = call.clock.now()
  if (scope.environment === 'live') {
    const reads = { ...call, reader: tx }
    const { orgId } = scope
    const counts = {
      sessions: () => sessionsOfMonth(reads, { orgId, at: now }),
      storage_bytes: () => call.keptBytes(reads, orgId),
    }
    await refuseBeyondPlan(reads, { orgId, counts })
  }
  const policy = input.policyId === undefined ? null : await policyForSession(call, input.policyId)
  const config = mergeConfig(policy?.config ?? (await usualConfig(call)), input.config ?? {})
  const id = call.newId('ses')
  const position = await nextPosition(tx, scope)
  await insertSession(tx, scope, {
    id,
    position,
    externalId: input.externalId ?? null,
    candidateLabel: input.candidateLabel ?? null,
    config: JSON.stringify(config),
    policy,
    schedule: input.schedule ? JSON.stringify(scheduleOf(input.schedule, now)) : null,
    provisionedBy,
    now,
  })
  await addWords(call, { sessionId: id, texts: [input.externalId ?? null, input.candidateLabel ?? null] })
  const secret = newSecret(secretPrefixes.agent_join)
  const credential = {
    id: call.newId('crd'),
    sessionId: id,
    kind: 'agent',
    tokenHash: secret.hash,
    label: 'agent join token',
  } as const
  await insertCredential(tx, scope, credential, now)
  const session = await getSession(call, id)
  await call.audit.append(call, {
    action: 'session.created',
    target: id,
    sessionId: id,
    payload: { externalId: session.externalId, candidateLabel: session.candidateLabel, policy: session.policy },
    records: await sessionRecord(call, { sessionId: id }),
  })
  await call.outbox.publish(call, {
    type: 'session.scheduled',
    sessionId: id,
    data: { session: sessionRef(session) },
  })
  const agentJoinTokenExpiresAt = new Date(now + credentialLifetimeMs).toISOString()
  return { session, agentJoinToken: secret.token, agentJoinTokenExpiresAt }
}

interface Ending {
  readonly reason?: string | undefined
  readonly endedAt?: string | undefined
  /** How long the machine says its chain is. */
  readonly captureEnd?: z.output<typeof captureEnd> | undefined
}

/** Ends a session once; ending again changes nothing and answers the same. */
export const endSession = async (
  call: WriteCall & Needs<'credentials' | 'db'>,
  { sessionId, input }: { readonly sessionId: string; readonly input: Ending },
): Promise<SessionRow> => {
  const { tx, scope } = call
  const session = await lockSession(call, sessionId)
  const again = session.state === 'ended'
  const record = (records: readonly SessionRecord[]) =>
    call.audit.append(call, { action: 'session.ended', target: sessionId, sessionId, payload: { again }, records })
  if (again) {
    await record([])
    return session
  }
  const now = call.clock.now()
  // An agent that was offline knows better when it stopped; nobody can end a session in the future or before it began.
  const claimed = input.endedAt === undefined ? now : Date.parse(input.endedAt)
  const endedAt = Math.min(now, Math.max(claimed, session.startedAt ?? session.createdAt))
  await updateSession(tx, scope, sessionId, { endedAt, endReason: input.reason ?? null })
  await openWindow(call, { sessionId, endedAt, toldDays: await toldDays(call, session) })
  await record([
    ...(await sessionRecord(call, { sessionId, state: 'ended' })),
    ...(await windowRecord(tx, { orgId: scope.orgId, sessionId })),
  ])
  if (input.captureEnd) await keepCaptureEnd(call, { sessionId, end: input.captureEnd })
  await changeState(tx, scope, session, 'ended')
  if (session.startedAt !== null) await openReview(call, { sessionId, endedAt, settlesAt: endedAt + lateDeliveryMs })
  tx.afterCommit(() => call.credentials.forget())
  announceChange(call)
  const ended = await getSession(call, sessionId)
  await call.outbox.publish(call, {
    type: 'session.ended',
    sessionId,
    data: { session: sessionRef(ended), reason: ended.endReason },
  })
  return ended
}

/** A session without what anybody wrote of its candidate, or an agent of its machine. The integrator's own handle stays. */
const noWords = {
  candidateLabel: null,
  meeting: null,
  device: null,
  permissions: '{}',
  permissionTimes: '{}',
  capabilities: '[]',
  endReason: null,
}

/** Erases what was captured and what was written; times and counts stay. Erasing again answers the same numbers. */
export const eraseSession = async (
  call: WriteCall & Needs<'credentials' | 'db' | 'erasers' | 'recordSources'>,
  sessionId: string,
) => {
  const { tx, scope } = call
  const session = await lockSession(call, sessionId)
  await refuseHeld(call, sessionId)
  if (session.state === 'live') throw new ServiceError('conflict', 'this session is live; end it first')
  // Nothing can be collected in it any more: it will never begin.
  if (session.state === 'scheduled') await endSession(call, { sessionId, input: { reason: 'erased' } })
  const erasedAt = session.erasedAt ?? call.clock.now()
  const erased = { erasedObjects: 0, erasedBytes: 0 }
  const counts: (() => Promise<void>)[] = []
  for (const eraser of call.erasers) {
    const gone = await eraser.erase(call, sessionId, erasedAt)
    erased.erasedObjects += gone?.erasedObjects ?? 0
    erased.erasedBytes += gone?.erasedBytes ?? 0
    if (gone?.count) counts.push(gone.count)
  }
  await updateSession(tx, scope, sessionId, {
    erasedAt,
    config: JSON.stringify(withoutWords(session.config)),
    ...noWords,
  })
  await eraseLabels(tx, scope, sessionId)
  await closeWindow(call, sessionId)
  await noteChange(call, { session: sessionRef(await getSession(call, sessionId)), cause: 'erasure' })
  announceChange(call)
  await call.audit.append(call, {
    action: 'session.erased',
    target: sessionId,
    sessionId,
    payload: { objects: erased.erasedObjects, bytes: erased.erasedBytes },
    records: await leftRecords(call.recordSources, tx, { orgId: scope.orgId, sessionId }),
  })
  // A backup of before brings it back: what it has to be told is kept apart from the backups.
  if (session.erasedAt === null)
    await call.jobs.enqueue(call, { kind: 'sessions.record_erasure', payload: { sessionId, erasedAt } })
  for (const count of counts) await count()
  // The audit row has locked the chain, which every hold is written to: one that came meanwhile is seen now.
  await refuseHeld(call, sessionId)
  return { sessionId, erasedAt: new Date(erasedAt).toISOString(), ...erased }
}
