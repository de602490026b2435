import type { LaneHealthState, LaneName } from '@integrity/protocol'
import type { Scope } from '../../kernel/identity/scope.ts'
import type { Reader, Tx } from '../../platform/db/types.ts'
import type { LaneGap, LaneWindow } from './lanes.types.ts'

interface LaneKey {
  readonly sessionId: string
  readonly lane: LaneName
  /** Empty for the lane as a whole. */
  readonly displayId: string
}

export const findHealth = (
  tx: Tx,
  scope: Scope,
  key: LaneKey,
): Promise<{ health: LaneHealthState; since: number } | undefined> =>
  tx.get('SELECT health, since FROM lane_health WHERE org_id = ? AND session_id = ? AND lane = ? AND display_id = ?', [
    scope.orgId,
    key.sessionId,
    key.lane,
    key.displayId,
  ])

export interface LaneState {
  readonly lane: LaneName
  readonly displayId: string
  readonly health: LaneHealthState
  readonly reason: string | null
  readonly since: number
}

/** What each lane last said of itself. The caller has found the session in this scope. */
export const listHealth = (reader: Reader, scope: Scope, sessionId: string): Promise<LaneState[]> =>
  reader.all<LaneState>(
    `SELECT lane, display_id AS "displayId", health, reason, since
     FROM lane_health WHERE org_id = ? AND session_id = ? ORDER BY lane, display_id`,
    [scope.orgId, sessionId],
  )

export const saveHealth = async (
  tx: Tx,
  scope: Scope,
  key: LaneKey,
  state: { health: LaneHealthState; reason: string | null; since: number },
): Promise<void> => {
  await tx.run(
    `INSERT INTO lane_health (org_id, session_id, lane, display_id, health, reason, since) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (org_id, session_id, lane, display_id)
     DO UPDATE SET health = excluded.health, reason = excluded.reason, since = excluded.since`,
    [scope.orgId, key.sessionId, key.lane, key.displayId, state.health, state.reason, state.since],
  )
}

export const insertWindow = async (
  tx: Tx,
  scope: Scope,
  sessionId: string,
  clientId: string,
  w: LaneWindow,
): Promise<void> => {
  await tx.run(
    `INSERT INTO lane_windows (org_id, session_id, lane, display_id, from_at, client_id, to_at, expected_seconds,
       observed_seconds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    [scope.orgId, sessionId, w.lane, w.displayId, w.fromAt, clientId, w.toAt, w.expectedSeconds, w.observedSeconds],
  )
}

export const insertGap = async (
  tx: Tx,
  scope: Scope,
  sessionId: string,
  clientId: string,
  g: LaneGap,
): Promise<void> => {
  await tx.run(
    `INSERT INTO lane_gaps (org_id, session_id, lane, display_id, from_at, client_id, to_at, reason)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    [scope.orgId, sessionId, g.lane, g.displayId, g.fromAt, clientId, g.toAt, g.reason],
  )
}

export const listWindows = (reader: Reader, scope: Scope, sessionId: string): Promise<LaneWindow[]> =>
  reader.all<LaneWindow>(
    `SELECT lane, display_id AS "displayId", from_at AS "fromAt", to_at AS "toAt", expected_seconds AS "expectedSeconds",
       observed_seconds AS "observedSeconds"
     FROM lane_windows WHERE org_id = ? AND session_id = ? ORDER BY lane, display_id, from_at, client_id`,
    [scope.orgId, sessionId],
  )

export const listGaps = (reader: Reader, scope: Scope, sessionId: string): Promise<LaneGap[]> =>
  reader.all<LaneGap>(
    `SELECT lane, display_id AS "displayId", from_at AS "fromAt", to_at AS "toAt", reason
     FROM lane_gaps WHERE org_id = ? AND session_id = ? ORDER BY from_at, lane, display_id, client_id`,
    [scope.orgId, sessionId],
  )

const spanTables = ['lane_windows', 'lane_gaps'] as const

/** Displays are told apart by a number from then on, items by the service's own id of their event. */
export const eraseLaneWords = async (tx: Tx, scope: Scope, sessionId: string): Promise<void> => {
  const own = [scope.orgId, sessionId]
  await tx.run('DELETE FROM lane_health WHERE org_id = ? AND session_id = ?', own)
  const displays = await tx.all<{ id: string }>(
    `SELECT display_id AS id FROM lane_windows WHERE org_id = ? AND session_id = ? AND display_id <> ''
     UNION SELECT display_id FROM lane_gaps WHERE org_id = ? AND session_id = ? AND display_id <> '' ORDER BY 1`,
    [...own, ...own],
  )
  for (const table of spanTables) {
    await tx.run(
      `UPDATE ${table} SET client_id = COALESCE((SELECT e.event_id FROM integrity_events e
         WHERE e.org_id = ${table}.org_id AND e.client_id = ${table}.client_id AND e.session_id = ${table}.session_id), client_id)
       WHERE org_id = ? AND session_id = ?`,
      own,
    )
    for (const [index, { id }] of displays.entries())
      await tx.run(`UPDATE ${table} SET display_id = ? WHERE org_id = ? AND session_id = ? AND display_id = ?`, [
        `display ${String(index + 1).padStart(4, '0')}`,
        ...own,
        id,
      ])
  }
}
