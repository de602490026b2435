import {
  evidenceTypeNames,
  laneEnabled,
  laneNames,
  ServiceError,
  type SessionConfig,
  type SessionConfigPatch,
  sessionConfig,
  typeEnabled,
} from '@integrity/protocol'
import type { Needs, WriteCall, Writes } from '../../../kernel/call.ts'
import type { Actor } from '../../../kernel/identity/actor.ts'
import { moveWords } from './lists/session-words.service.ts'
import { findWorded } from './lists/session-words.store.ts'
import { sessionRecord } from './lists/sessions.records.service.ts'
import { announceChange } from './live.wake.service.ts'
import { getSession, lockSession } from './sessions.read.service.ts'
import { changeCreatedAt, updateSession } from './sessions.store.ts'
import type { SessionRow } from './sessions.types.ts'

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

/** Writes the config of a locked session, with the audit row that says so. */
export const writeConfig = async (
  call: WriteCall<Actor> & Needs<'db'>,
  {
    session,
    merged,
    payload,
  }: { readonly session: SessionRow; readonly merged: SessionConfig; readonly payload: Record<string, unknown> },
): Promise<void> => {
  const { tx, scope } = call
  const { id: sessionId } = session
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
    payload: { ...payload, changed },
    records: await sessionRecord(call, { sessionId }),
  })
}

export const changeConfig = async (
  call: WriteCall<Actor> & Needs<'db'>,
  { sessionId, patch }: { readonly sessionId: string; readonly patch: SessionConfigPatch },
): Promise<SessionRow> => {
  const session = await lockSession(call, sessionId)
  if (session.state === 'ended')
    throw new ServiceError('conflict', 'this session has ended; its policy can no longer change')
  await writeConfig(call, { session, merged: mergeConfig(session.config, patch), payload: { patch } })
  return getSession(call, sessionId)
}

/** A locked session was made at this instant, if it says a later one: what is played with earlier dates began after it was made. */
export const dateCreation = async (
  { tx, scope }: Writes,
  { session, at }: { readonly session: SessionRow; readonly at: number },
): Promise<void> => {
  if (at >= session.createdAt) return
  const worded = await findWorded(tx, scope, session.id)
  await changeCreatedAt(tx, scope, session, at)
  if (worded) await moveWords({ tx, scope }, { before: worded, createdAt: at })
}

/** Writes the appointment of a locked session; whoever calls has decided that it may change. */
export const writeSchedule = (
  call: Writes,
  { sessionId, schedule }: { readonly sessionId: string; readonly schedule: SessionRow['schedule'] },
): Promise<void> => updateSession(call.tx, call.scope, sessionId, { schedule: schedule && JSON.stringify(schedule) })
