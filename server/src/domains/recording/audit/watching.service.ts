import { type By, inTx, type Needs } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { announceChange } from '../../interviews/sessions/live.wake.service.ts'
import { countWatching, isNoted, noteMinute } from './watches.store.ts'

const minuteMs = 60_000

/**
 * Notes that a member looks at a session while it goes on: one audit row for a person, session and minute, whichever of the
 * live pictures they ask for, and in whichever process. The caller has found the session.
 */
export const noteWatching = async (
  call: By<ActorOf<'user'>> & Needs<'audit' | 'clock' | 'db' | 'scope'>,
  sessionId: string,
): Promise<void> => {
  const { actor, scope, db } = call
  const watch = { sessionId, userId: actor.id, minute: Math.floor(call.clock.now() / minuteMs) }
  if (await isNoted(db.reader, scope, watch)) return
  const watchers = await watchersOf({ ...call, reader: db.reader }, { orgId: scope.orgId, sessionIds: [sessionId] })
  await db.transact(async (tx) => {
    if (!(await noteMinute(tx, scope, watch))) return
    // Whoever looks on already is known to the agent, which then hears of the next minute when it is looked after anyway.
    if (!watchers.has(sessionId)) announceChange(inTx(call, tx))
    await call.audit.append(inTx(call, tx), { action: 'session.watched', target: sessionId, sessionId })
  })
}

/** How many people have watched each of these sessions in this minute or the one before. The caller has found the sessions. */
export const watchersOf = (
  { reader, clock }: Needs<'clock' | 'reader'>,
  { orgId, sessionIds }: { readonly orgId: string; readonly sessionIds: readonly string[] },
): Promise<ReadonlyMap<string, number>> =>
  countWatching(reader, orgId, { sessionIds, minute: Math.floor(clock.now() / minuteMs) - 1 })
