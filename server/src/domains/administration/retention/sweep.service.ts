import type { Needs, WriteCall } from '../../../kernel/call.ts'
import { noteChange } from '../../interviews/reviews/changes.service.ts'
import { holdsOfTrail, markHeld } from '../../interviews/sessions/joining/window.service.ts'
import { getSession, lockSession } from '../../interviews/sessions/sessions.read.service.ts'
import { eraseSession } from '../../interviews/sessions/sessions.service.ts'
import { sessionRef } from '../../interviews/sessions/sessions.view.ts'
import { restoreOrgHold } from '../../organisation/retention-rules/holds.service.ts'
import { lockRules } from '../../organisation/retention-rules/retention-rules.service.ts'
import { eraseSomeEvidence } from '../../recording/evidence/evidence.erase.service.ts'
import { type DueRow, type Horizon, listDeletable, type Sum, sumDue } from './due.store.ts'
import { horizonOf } from './retention.service.ts'
import { findLatestSweep, type SweepRow, saveSweep } from './sweeps.store.ts'

/** So many sessions are erased by one call at most, and no more are begun after so long. */
const sessionsPerCall = 100
const msPerCall = 1_000

type SweepCall = WriteCall & Needs<'config' | 'credentials' | 'db' | 'erasers' | 'recordSources'>
type Done = Pick<SweepRow, 'erasedSessions' | 'erasedObjects' | 'erasedBytes'>

const chosenOf = (due: readonly DueRow[], maxObjects: number): DueRow[] => {
  let before = 0
  return due.filter(({ objects }) => {
    const fits = before < maxObjects
    before += objects
    return fits
  })
}

/** What this call is to erase, locked: in one order, before the audit chain is, which is the last that anybody locks. */
const lockDue = async (call: SweepCall, horizon: Horizon, maxObjects: number): Promise<DueRow[]> => {
  const { tx } = call
  const { orgId } = horizon
  const chosen = chosenOf(await listDeletable(tx, horizon, sessionsPerCall), maxObjects)
  const locked = new Set(chosen.map(({ sessionId }) => sessionId))
  for (const { sessionId, environment } of chosen.toSorted((a, b) => (a.sessionId < b.sessionId ? -1 : 1)))
    await lockSession({ ...call, scope: { orgId, environment } }, sessionId)
  // Who held one of them before may have erased it, or placed a hold on it.
  const still = await listDeletable(tx, horizon, sessionsPerCall)
  return chosenOf(
    still.filter(({ sessionId }) => locked.has(sessionId)),
    maxObjects,
  )
}

/** A session that has more objects than the call may still erase loses those, and goes as a whole in a later call. */
const eraseOne = async (call: SweepCall, due: DueRow, limit: number): Promise<Done> => {
  const { sessionId } = due
  if (due.objects <= limit) {
    await eraseSession(call, sessionId)
    return { erasedSessions: 1, erasedObjects: due.objects, erasedBytes: due.sizeBytes }
  }
  const { erasedObjects, erasedBytes, count } = await eraseSomeEvidence(call, {
    sessionId,
    limit,
    now: call.clock.now(),
  })
  const payload = { objects: erasedObjects, bytes: erasedBytes }
  await call.audit.append(call, { action: 'session.partly_erased', target: sessionId, sessionId, payload })
  await noteChange(call, {
    session: sessionRef(await getSession({ ...call, reader: call.tx }, sessionId)),
    cause: 'erasure',
  })
  await count?.()
  return { erasedSessions: 0, erasedObjects, erasedBytes }
}

const eraseDue = async (call: SweepCall, horizon: Horizon, maxObjects: number): Promise<Done> => {
  const done = { erasedSessions: 0, erasedObjects: 0, erasedBytes: 0 }
  const until = call.clock.now() + msPerCall
  for (const due of await lockDue(call, horizon, maxObjects)) {
    const ofSession = { ...call, scope: { orgId: horizon.orgId, environment: due.environment } }
    // Asked of the trail: rows may have been made to forget it. With its mark back it is held from here on.
    if ((await holdsOfTrail({ ...ofSession, reader: call.tx }, due.sessionId)).own) {
      await markHeld(ofSession, { sessionId: due.sessionId, on: true })
      continue
    }
    const one = await eraseOne(ofSession, due, maxObjects - done.erasedObjects)
    done.erasedSessions += one.erasedSessions
    done.erasedObjects += one.erasedObjects
    done.erasedBytes += one.erasedBytes
    if (call.clock.now() >= until) break
  }
  return done
}

const noteOf = (held: Sum, orgHeld: boolean): string | null => {
  if (held.sessions === 0) return null
  if (orgHeld) return 'the organisation is under legal hold: nothing is deleted until it is released'
  return held.sessions === 1
    ? '1 session that is due is under legal hold, and stays until it is released'
    : `${held.sessions} sessions that are due are under legal hold, and stay until it is released`
}

const begun = (call: SweepCall, now: number): SweepRow => ({
  id: call.newId('swp'),
  state: 'more',
  startedAt: now,
  updatedAt: now,
  completedAt: null,
  calls: 0,
  erasedSessions: 0,
  erasedObjects: 0,
  erasedBytes: 0,
  heldSessions: 0,
  remaining: 0,
  note: null,
})

/**
 * Erases what is due, as much as one call may, in one transaction: killed before its commit nothing has happened, after it
 * the bytes follow by durable jobs. Calls of one organisation come one after the other, so that none does another's work
 * again. Answers the sweep as it stands, and what this call did.
 */
export const runSweep = async (
  call: SweepCall,
  { orgId, maxObjects }: { readonly orgId: string; readonly maxObjects: number },
): Promise<{ sweep: SweepRow; done: Done }> => {
  const { tx } = call
  const locked = await lockRules(call, orgId)
  const rules = locked.held === 0 && (await restoreOrgHold(call, orgId)) ? await lockRules(call, orgId) : locked
  const now = call.clock.now()
  const horizon = await horizonOf(call, { orgId, days: 0, rules })
  const done = await eraseDue(call, horizon, maxObjects)
  const left = await sumDue(tx, horizon)
  const latest = await findLatestSweep(tx, orgId)
  const before = latest?.state === 'more' ? latest : begun(call, now)
  const state = left.free.sessions === 0 ? 'completed' : 'more'
  const sweep: SweepRow = {
    ...before,
    state,
    updatedAt: now,
    completedAt: state === 'completed' ? now : null,
    calls: before.calls + 1,
    erasedSessions: before.erasedSessions + done.erasedSessions,
    erasedObjects: before.erasedObjects + done.erasedObjects,
    erasedBytes: before.erasedBytes + done.erasedBytes,
    heldSessions: left.held.sessions,
    remaining: left.free.objects,
    note: noteOf(left.held, rules.held === 1),
  }
  await saveSweep(tx, orgId, sweep)
  const payload = { ...done, state, heldSessions: sweep.heldSessions, remaining: sweep.remaining }
  const { actor } = call
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'retention.swept', target: sweep.id, payload })
  return { sweep, done }
}

export const latestSweep = (call: Needs<'reader'>, orgId: string): Promise<SweepRow | undefined> =>
  findLatestSweep(call.reader, orgId)
