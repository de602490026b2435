import { ServiceError } from '@integrity/protocol'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { type List, type PageQuery, readPage } from '../../../kernel/paging.ts'
import { checkSeen } from '../../../kernel/seen.ts'
import { markHeld } from '../../interviews/sessions/joining/window.service.ts'
import { lockSession, scopeOfSession } from '../../interviews/sessions/sessions.read.service.ts'
import { holdOn, type PlacedHold, type Placing, writeHold } from '../../organisation/retention-rules/holds.service.ts'
import {
  lockRules,
  type Rules,
  rulesOf,
  setDefaultDays,
} from '../../organisation/retention-rules/retention-rules.service.ts'
import { type DueRow, type Horizon, pageOfDue, sumDue } from './due.store.ts'

const dayMs = 86_400_000

type Change = By<ActorOf<'user'>> & Needs<'audit' | 'clock' | 'config' | 'reader' | 'tx'>

export interface OrgRetention {
  readonly rules: Rules
  readonly hold: PlacedHold
}

export const readRetention = async (
  call: Needs<'clock' | 'config' | 'reader'>,
  orgId: string,
): Promise<OrgRetention> => ({
  rules: await rulesOf(call, orgId),
  hold: await holdOn(call, { orgId, sessionId: '' }),
})

/** Sets the organisation's window. What candidates were told, and the ceiling, bound it where they are shorter. */
export const changeRetention = async (
  call: Change,
  { defaultDays, expectedVersion }: { readonly defaultDays: number; readonly expectedVersion?: number | undefined },
): Promise<OrgRetention> => {
  const { tx, actor } = call
  const { orgId } = actor
  const before = await lockRules(call, orgId)
  checkSeen({ version: before.setAt ?? 0 }, expectedVersion)
  await setDefaultDays(call, { orgId, wanted: defaultDays, before })
  await call.audit.append(
    { tx, scope: { orgId }, actor },
    { action: 'retention.changed', target: orgId, payload: { from: before.defaultDays, to: defaultDays } },
  )
  return readRetention({ ...call, reader: tx }, orgId)
}

export const holdOrg = async (call: Change, placing: Placing): Promise<OrgRetention> => {
  const { tx, actor } = call
  const { orgId } = actor
  await lockRules(call, orgId)
  await writeHold(call, { held: { orgId, sessionId: '' }, placing })
  return readRetention({ ...call, reader: tx }, orgId)
}

/** Throws `conflict` for a session that is erased: nothing is left to hold. */
export const holdSession = async (
  call: Change,
  { sessionId, placing }: { readonly sessionId: string; readonly placing: Placing },
): Promise<PlacedHold> => {
  const { tx, actor } = call
  const { orgId } = actor
  const scope = await scopeOfSession(call, { orgId, sessionId })
  const session = await lockSession({ ...call, scope }, sessionId)
  if (placing.on && session.erasedAt !== null)
    throw new ServiceError('conflict', 'this session was erased; there is nothing left to hold')
  const held = { orgId, sessionId }
  await writeHold(call, { held, placing })
  await markHeld({ ...call, scope }, { sessionId, on: placing.on })
  return holdOn({ reader: tx }, held)
}

export const readSessionHold = async (
  call: By<ActorOf<'user'>> & Needs<'reader'>,
  sessionId: string,
): Promise<PlacedHold> => {
  const { orgId } = call.actor
  await scopeOfSession(call, { orgId, sessionId })
  return holdOn(call, { orgId, sessionId })
}

/** What is due in so many days, of both environments. */
export const horizonOf = async (
  call: Needs<'clock' | 'config' | 'reader'>,
  { orgId, days, rules }: { readonly orgId: string; readonly days: number; readonly rules?: Rules | undefined },
): Promise<Horizon> => ({
  orgId,
  at: call.clock.now() + days * dayMs,
  boundDays: (rules ?? (await rulesOf(call, orgId))).boundDays,
})

/** A page of what is due, first due first, with what all of it amounts to. */
export const previewDue = async (
  call: Needs<'clock' | 'config' | 'reader'>,
  { orgId, days, ...query }: { readonly orgId: string } & PageQuery & { readonly days: number },
) => {
  const { reader } = call
  const horizon = await horizonOf(call, { orgId, days })
  const list: List<DueRow> = {
    of: ['retention-due', orgId, days],
    kinds: ['number', 'string'],
    keyOf: ({ dueAt, sessionId }) => [dueAt, sessionId],
    fetch: (stretch) => pageOfDue(reader, horizon, stretch),
  }
  const { free, held } = await sumDue(reader, horizon)
  return { page: await readPage(list, query), total: free.sessions + held.sessions, totals: { ...free, held } }
}
