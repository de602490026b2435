import { ServiceError } from '@integrity/protocol'
import type { AppContext } from '../../app/context.ts'
import type { ActorOf } from '../../platform/actor.ts'
import type { Tx } from '../../platform/db/types.ts'
import type { Scope } from '../../platform/scope.ts'
import { applyLaneReport, readLaneReport } from '../lanes/lanes.service.ts'
import { lockFreeGates, type SessionGate } from '../sessions/sessions.service.ts'
import { admitAll, type Batch, countByKind, eventRows, receivedEntry } from './integrity-events.service.ts'
import { addCountsOfAll, appendEventsOfAll, touchSessions } from './integrity-events.together.store.ts'

export interface Delivery {
  readonly actor: ActorOf<'agent'>
  readonly sessionId: string
  readonly events: Batch
}

const admit = (app: AppContext, session: SessionGate, { actor, events }: Delivery, now: number) => {
  admitAll(session, events, now)
  return { actor, session, rows: eventRows(app, events, now), reports: events.map(readLaneReport) }
}
type Admitted = ReturnType<typeof admit>

const settle = <T>(work: () => T): PromiseSettledResult<T> => {
  try {
    return { status: 'fulfilled', value: work() }
  } catch (reason) {
    if (!(reason instanceof ServiceError)) throw reason
    return { status: 'rejected', reason }
  }
}

/** Stores what was admitted and answers the new rows of each; the same steps as `ingestEvents`, each for all at once. */
const store = async (app: AppContext, tx: Tx, scope: Scope, admitted: readonly Admitted[], now: number) => {
  const batches = admitted.map(({ session, rows }) => ({ sessionId: session.id, rows, after: session.eventCount }))
  const fresh = await appendEventsOfAll(tx, scope, batches)
  const counts = batches.flatMap(({ sessionId }, n) =>
    Array.from(countByKind(fresh[n] ?? []), ([kind, count]) => ({ sessionId, kind, n: count })),
  )
  const touched = batches.map(({ sessionId, after }, n) => ({ sessionId, eventCount: after + (fresh[n]?.length ?? 0) }))
  for (const [n, { actor, session, rows, reports }] of admitted.entries()) {
    const isFresh = new Set<object>(fresh[n])
    for (const [index, report] of reports.entries())
      if (report && isFresh.has(rows[index] as object)) await applyLaneReport(app, tx, scope, actor, session, report)
  }
  const entries = admitted.map(({ actor, session }, n) => receivedEntry(actor, session, fresh[n]?.length ?? 0))
  await Promise.all([
    addCountsOfAll(tx, scope, counts),
    touchSessions(tx, scope, touched, now),
    app.audit.appendAll(tx, scope.orgId, entries),
  ])
  return fresh
}

/**
 * Stores the batches of several sessions, no session twice, as `ingestEvents` would have stored each. A batch that its
 * session does not take is refused by itself, one whose session is not free is left out; anything else that fails, fails all.
 */
export const ingestTogether = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  deliveries: readonly Delivery[],
): Promise<(PromiseSettledResult<{ accepted: number; duplicates: number }> | undefined)[]> => {
  const gates = await lockFreeGates(
    tx,
    scope,
    deliveries.map(({ sessionId }) => sessionId),
  )
  const now = app.clock.now()
  const outcomes = deliveries.map((delivery) => {
    const session = gates.get(delivery.sessionId)
    return session && settle(() => admit(app, session, delivery, now))
  })
  const admitted = outcomes.flatMap((outcome) => (outcome?.status === 'fulfilled' ? [outcome.value] : []))
  const fresh = admitted.length > 0 ? await store(app, tx, scope, admitted, now) : []
  return outcomes.map((outcome) => {
    if (outcome?.status !== 'fulfilled') return outcome
    const accepted = fresh[admitted.indexOf(outcome.value)]?.length ?? 0
    return { status: 'fulfilled', value: { accepted, duplicates: outcome.value.rows.length - accepted } }
  })
}
