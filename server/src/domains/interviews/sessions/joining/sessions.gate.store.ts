import type { Scope } from '../../../../kernel/identity/scope.ts'
import type { Tx } from '../../../../platform/db/types.ts'
import { parseConfig, parseJsonText } from '../sessions.store.ts'
import type { LockedGate, SessionRow } from '../sessions.types.ts'

interface RawGate {
  id: string
  externalId: string | null
  state: SessionRow['state']
  config: string
  lanesOff: string
  consent: string
  startedAt: number | null
  endedAt: number | null
  erasedAt: number | null
}

const gateColumns = `s.session_id AS id, external_id AS "externalId", state, config, lanes_off AS "lanesOff", consent,
  started_at AS "startedAt", ended_at AS "endedAt", erased_at AS "erasedAt"`

type Counts = Pick<LockedGate, 'eventCount' | 'observationCount' | 'eventBytes'>

const gateOf = (raw: RawGate, counts: Counts | undefined): LockedGate => ({
  ...raw,
  eventCount: counts?.eventCount ?? 0,
  observationCount: counts?.observationCount ?? 0,
  eventBytes: counts?.eventBytes ?? 0,
  config: parseConfig(raw.config),
  lanesOff: parseJsonText(raw.lanesOff),
  consent: parseJsonText(raw.consent),
})

/**
 * Reads the gate of a session and holds the session until the commit. The counter is joined, and so locked too: in a
 * subquery Postgres would still show it as it was before the wait for the lock.
 */
export const findGateForUpdate = async (tx: Tx, scope: Scope, sessionId: string): Promise<LockedGate | undefined> => {
  const raw = await tx.get<RawGate>(
    `SELECT ${gateColumns}
     FROM sessions s WHERE s.org_id = ? AND environment = ? AND s.session_id = ?${tx.forUpdate}`,
    [scope.orgId, scope.environment, sessionId],
  )
  if (!raw) return undefined
  // A statement of its own, after the lock: on Postgres a subquery of the first would still see the time before it waited.
  const counters = await tx.get<Counts>(
    `SELECT event_count AS "eventCount", observation_count AS "observationCount", event_bytes AS "eventBytes"
     FROM session_counters WHERE org_id = ? AND session_id = ?`,
    [scope.orgId, sessionId],
  )
  return gateOf(raw, counters)
}

/**
 * The same for several sessions. One that another transaction holds is left out, as is one that is
 * not there: who waited for it would hold up all the others, and two that wait could do so for each other.
 */
export const findFreeGatesForUpdate = async (
  tx: Tx,
  scope: Scope,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, LockedGate>> => {
  const places = sessionIds.map(() => '?').join(', ')
  const [gates, counters] = await Promise.all([
    tx.all<RawGate>(
      `SELECT ${gateColumns} FROM sessions s WHERE s.org_id = ? AND environment = ? AND s.session_id IN (${places})${tx.forUpdateSkipLocked}`,
      [scope.orgId, scope.environment, ...sessionIds],
    ),
    tx.all<Counts & { id: string }>(
      `SELECT session_id AS id, event_count AS "eventCount", observation_count AS "observationCount", event_bytes AS "eventBytes"
       FROM session_counters WHERE org_id = ? AND session_id IN (${places})`,
      [scope.orgId, ...sessionIds],
    ),
  ])
  const counts = new Map(counters.map((row) => [row.id, row]))
  return new Map(gates.map((raw) => [raw.id, gateOf(raw, counts.get(raw.id))]))
}

export const touchContact = async (tx: Tx, scope: Scope, sessionId: string, now: number): Promise<void> => {
  await tx.run('UPDATE session_counters SET last_contact_at = ? WHERE org_id = ? AND session_id = ?', [
    now,
    scope.orgId,
    sessionId,
  ])
}
