import { isHeldByTrail } from '../../../kernel/audit/audit.commitments.store.ts'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { checkSeen } from '../../../kernel/seen.ts'
import { findLastHold, type Held, type HoldRow, insertHold } from './holds.store.ts'
import { holdRecords } from './retention-rules.records.service.ts'
import { updateHeld } from './retention-rules.store.ts'

export interface Placing {
  readonly on: boolean
  readonly reason?: string | undefined
  /** What the writer has seen (`PlacedHold.version`); a newer one is a conflict. */
  readonly expectedVersion?: number | undefined
}

/** A hold that is on; undefined where none is. */
export type Hold = HoldRow & { readonly reason: string; readonly since: number }

const asOn = (last: HoldRow | undefined): Hold | undefined => (last?.placed === 1 ? (last as Hold) : undefined)

/** The hold on something, as it is now. */
export interface PlacedHold {
  /** Undefined where none is on. */
  readonly hold: Hold | undefined
  /** How often it was placed, given another reason and released. */
  readonly version: number
}

export const holdOn = async (call: Needs<'reader'>, held: Held): Promise<PlacedHold> => {
  const last = await findLastHold(call.reader, held)
  return { hold: asOn(last), version: last?.position ?? 0 }
}

/**
 * Writes a placing or a releasing into the history, with its audit row. What is on already for the same reason, or off
 * already, stays as it is. Call with what is held locked.
 */
export const writeHold = async (
  call: By<ActorOf<'user'>> & Needs<'audit' | 'clock' | 'tx'>,
  { held, placing: { on, reason, expectedVersion } }: { readonly held: Held; readonly placing: Placing },
): Promise<void> => {
  const { tx, actor } = call
  const { orgId, sessionId } = held
  const last = await findLastHold(tx, held)
  const version = last?.position ?? 0
  const words = `the hold was changed meanwhile by ${last?.byLabel ?? 'somebody'}; read it first`
  checkSeen({ version, words }, expectedVersion)
  const before = asOn(last)
  const changed = on ? before?.reason !== reason : before !== undefined
  const at = call.clock.now()
  const entry = {
    position: version + 1,
    placed: on ? 1 : 0,
    reason: reason ?? null,
    since: on ? (before?.since ?? at) : null,
    at,
    byKind: actor.kind,
    byId: actor.id,
    byLabel: actor.email,
  } as const
  if (changed) await insertHold(tx, held, entry)
  if (sessionId === '') await updateHeld(tx, orgId, on ? 1 : 0)
  await call.audit.append(
    { tx, scope: { orgId }, actor },
    {
      action: on ? 'legal_hold.placed' : 'legal_hold.released',
      target: sessionId === '' ? orgId : sessionId,
      ...(sessionId !== '' && { sessionId }),
      payload: { reason: reason ?? null, changed },
      records: await holdRecords(tx, { ...held, on, position: changed ? entry.position : null }),
    },
  )
}

/** Puts the mark of a hold back that the audit trail knows of, and the rows no longer do. Call with the rules locked. */
export const restoreOrgHold = async (call: Needs<'tx'>, orgId: string): Promise<boolean> => {
  if (!(await isHeldByTrail(call.tx, { orgId, sessionId: '' }))) return false
  await updateHeld(call.tx, orgId, 1)
  return true
}
