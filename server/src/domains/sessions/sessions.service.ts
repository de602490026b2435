import {
  evidenceTypeNames,
  invalid,
  laneEnabled,
  laneNames,
  notFound,
  ServiceError,
  type SessionConfig,
  type SessionConfigPatch,
  secretPrefixes,
  sessionConfig,
  typeEnabled,
} from '@integrity/protocol'
import type { Actor } from '../../kernel/actor.ts'
import type { Needs, Reads, WriteCall, Writes } from '../../kernel/call.ts'
import type { Scope } from '../../kernel/scope.ts'
import { iso } from '../../kernel/time.ts'
import { newSecret } from '../../platform/crypto/secrets.ts'
import { credentialLifetimeMs, insertCredential } from './credentials.store.ts'
import { announceChange } from './live.wake.ts'
import { readInstant } from './sessions.policy.ts'
import {
  findEnvironmentOfSession,
  findFreeGatesForUpdate,
  findGateForUpdate,
  findSession,
  findSessionForUpdate,
  findShownSession,
  insertSession,
  nextPosition,
  type SessionGate,
  type SessionRow,
  type ShownSession,
  updateSession,
} from './sessions.store.ts'
import { sessionRef } from './sessions.view.ts'

export { listConsentsWithDocuments } from './joining.store.ts'
export {
  admitCapture,
  admitDelivery,
  admitInstant,
  admitLane,
  clockToleranceMs,
  readInstant,
  refuseErased,
} from './sessions.policy.ts'
export { type SessionGate, type SessionRow, touchContact } from './sessions.store.ts'
export { sessionRef } from './sessions.view.ts'

export const getSession = async (call: Reads, sessionId: string): Promise<SessionRow> => {
  const session = await findSession(call.reader, call.scope, sessionId)
  if (!session) throw notFound('session')
  return session
}

/** The same, of what is shown of it alone. */
export const getShownSession = async (call: Reads, sessionId: string): Promise<ShownSession> => {
  const session = await findShownSession(call.reader, call.scope, sessionId)
  if (!session) throw notFound('session')
  return session
}

/** The scope that a session of this organisation is in, whichever environment that is: people manage both. */
export const scopeOfSession = async (call: Needs<'reader'>, orgId: string, sessionId: string): Promise<Scope> => {
  const environment = await findEnvironmentOfSession(call.reader, orgId, sessionId)
  if (environment === undefined) throw notFound('session')
  return { orgId, environment }
}

/** Reads the session and holds it until the commit. */
export const lockSession = async (call: Writes, sessionId: string): Promise<SessionRow> => {
  const session = await findSessionForUpdate(call.tx, call.scope, sessionId)
  if (!session) throw notFound('session')
  return session
}

/** The same with only what an upload's gate needs to know. */
export const lockGate = async (call: Writes, sessionId: string): Promise<SessionGate> => {
  const session = await findGateForUpdate(call.tx, call.scope, sessionId)
  if (!session) throw notFound('session')
  return session
}

/** Gates of several sessions at once; one that is not there, or that somebody else holds, is missing in the answer. */
export const lockFreeGates = (call: Writes, sessionIds: readonly string[]): Promise<ReadonlyMap<string, SessionGate>> =>
  findFreeGatesForUpdate(call.tx, call.scope, sessionIds)

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Groups merge deeply; lists and values replace. */
export const mergeConfig = (config: SessionConfig, patch: SessionConfigPatch): SessionConfig => {
  const merged: Record<string, unknown> = { ...config }
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue
    const before = merged[name]
    merged[name] = isGroup(value) && isGroup(before) ? { ...before, ...withoutUndefined(value) } : value
  }
  return sessionConfig.parse(merged)
}
const withoutUndefined = (group: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(group).filter(([, value]) => value !== undefined))

export interface CreateInput {
  externalId?: string | undefined
  candidateLabel?: string | undefined
  config?: SessionConfigPatch | undefined
  policyId?: string | undefined
  schedule?: { startsAt: string; durationMinutes: number; timeZone: string } | undefined
}

const provisioner = (actor: Actor) =>
  actor.kind === 'api_key'
    ? { kind: 'api_key', id: actor.id, label: actor.label }
    : { kind: actor.kind, id: actor.id, label: actor.kind === 'user' ? actor.email : null }

const scheduleOf = (schedule: NonNullable<CreateInput['schedule']>) => ({
  ...schedule,
  startsAt: iso(readInstant(schedule.startsAt, 'schedule.startsAt')),
})

export const createSession = async (call: WriteCall<Actor>, input: CreateInput) => {
  const { tx, scope, actor } = call
  if (input.policyId !== undefined) throw invalid('policyId', 'names no policy of this organisation')
  const now = call.clock.now()
  const config = mergeConfig(sessionConfig.parse({}), input.config ?? {})
  const id = call.newId('ses')
  const position = await nextPosition(tx, scope)
  await insertSession(tx, scope, {
    id,
    position,
    externalId: input.externalId ?? null,
    candidateLabel: input.candidateLabel ?? null,
    config: JSON.stringify(config),
    policyId: null,
    schedule: input.schedule ? JSON.stringify(scheduleOf(input.schedule)) : null,
    provisionedBy: provisioner(actor),
    now,
  })
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
    payload: { externalId: session.externalId, candidateLabel: session.candidateLabel },
  })
  await call.outbox.publish(call, {
    type: 'session.scheduled',
    sessionId: id,
    data: { session: sessionRef(session) },
  })
  const agentJoinTokenExpiresAt = new Date(now + credentialLifetimeMs).toISOString()
  return { session, agentJoinToken: secret.token, agentJoinTokenExpiresAt }
}

/** Writes the appointment of a locked session; whoever calls has decided that it may change. */
export const writeSchedule = (call: Writes, sessionId: string, schedule: SessionRow['schedule']): Promise<void> =>
  updateSession(call.tx, call.scope, sessionId, { schedule: schedule && JSON.stringify(schedule) })

/** When each lane and each type of evidence was switched off; one that is on again is forgotten. */
const switchedOff = (session: SessionRow, merged: SessionConfig, now: number): SessionRow['lanesOff'] => {
  const off: SessionRow['lanesOff'] = {}
  const note = (name: keyof SessionRow['lanesOff'], isOn: boolean, wasOn: boolean) => {
    const since = wasOn ? now : session.lanesOff[name]
    if (!isOn && since !== undefined) off[name] = since
  }
  for (const lane of laneNames) note(lane, laneEnabled(merged, lane), laneEnabled(session.config, lane))
  for (const type of evidenceTypeNames) note(type, typeEnabled(merged, type), typeEnabled(session.config, type))
  return off
}

export const changeConfig = async (
  call: WriteCall<Actor> & Needs<'db'>,
  sessionId: string,
  patch: SessionConfigPatch,
): Promise<SessionRow> => {
  const { tx, scope } = call
  const session = await lockSession(call, sessionId)
  if (session.state === 'ended')
    throw new ServiceError('conflict', 'this session has ended; its policy can no longer change')
  const merged = mergeConfig(session.config, patch)
  const config = JSON.stringify(merged)
  const changed = config !== JSON.stringify(session.config)
  const lanesOff = JSON.stringify(switchedOff(session, merged, call.clock.now()))
  if (changed) {
    await updateSession(tx, scope, sessionId, { config, lanesOff, policyVersion: session.policyVersion + 1 })
    announceChange(call)
  }
  await call.audit.append(call, {
    action: 'session.config_changed',
    target: sessionId,
    sessionId,
    payload: { patch, changed },
  })
  return getSession(call, sessionId)
}

/** Ends a session once; ending again changes nothing and answers the same. */
export const endSession = async (
  call: WriteCall<Actor> & Needs<'credentials' | 'db'>,
  sessionId: string,
  input: { reason?: string | undefined; endedAt?: string | undefined },
): Promise<SessionRow> => {
  const { tx, scope } = call
  const session = await lockSession(call, sessionId)
  const again = session.state === 'ended'
  await call.audit.append(call, {
    action: 'session.ended',
    target: sessionId,
    sessionId,
    payload: { again },
  })
  if (again) return session
  const now = call.clock.now()
  // An agent that was offline knows better when it stopped; nobody can end a session in the future or before it began.
  const claimed = input.endedAt === undefined ? now : Date.parse(input.endedAt)
  const endedAt = Math.min(now, Math.max(claimed, session.startedAt ?? session.createdAt))
  await updateSession(tx, scope, sessionId, { state: 'ended', endedAt, endReason: input.reason ?? null })
  tx.afterCommit(() => call.credentials.clear())
  announceChange(call)
  const ended = await getSession(call, sessionId)
  await call.outbox.publish(call, {
    type: 'session.ended',
    sessionId,
    data: { session: sessionRef(ended), reason: ended.endReason },
  })
  return ended
}

/** Erases the captured evidence; erasing again answers the same numbers. */
export const eraseSession = async (call: WriteCall<Actor> & Needs<'db' | 'erasers'>, sessionId: string) => {
  const { tx, scope } = call
  const session = await lockSession(call, sessionId)
  if (session.legalHold)
    throw new ServiceError('conflict', 'this session is under legal hold; nothing of it can be erased')
  if (session.state === 'live') throw new ServiceError('conflict', 'this session is live; end it first')
  const erasedAt = session.erasedAt ?? call.clock.now()
  const erased = { erasedObjects: 0, erasedBytes: 0 }
  for (const eraser of call.erasers) {
    const gone = await eraser.erase(call, sessionId, erasedAt)
    erased.erasedObjects += gone?.erasedObjects ?? 0
    erased.erasedBytes += gone?.erasedBytes ?? 0
  }
  await updateSession(tx, scope, sessionId, { erasedAt })
  announceChange(call)
  await call.audit.append(call, {
    action: 'session.erased',
    target: sessionId,
    sessionId,
    payload: { objects: erased.erasedObjects, bytes: erased.erasedBytes },
  })
  return { sessionId, erasedAt: new Date(erasedAt).toISOString(), ...erased }
}
