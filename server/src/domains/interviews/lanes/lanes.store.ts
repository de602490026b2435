import type { LaneHealthState, LaneName } from '@integrity/protocol'
import type { Scope } from '../../../kernel/identity/scope.ts'
import type { ColumnSpec, Reader, Tx } from '../../../platform/db/types.ts'
import type { Told } from './lanes.ledger.model.ts'
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
): Promise<(Pick<LaneState, 'health' | 'since'> & ToldHealth) | undefined> =>
  tx.get(
    `SELECT health, since, told_health AS "told", changed_at AS "changedAt"
     FROM lane_health WHERE org_id = ? AND session_id = ? AND lane = ? AND display_id = ?`,
    [scope.orgId, key.sessionId, key.lane, key.displayId],
  )

interface ToldHealth {
  /** What was published last; null before the first time. */
  readonly told: LaneHealthState | null
  /** Since when the lane has been as it is; null where an earlier version wrote the row. */
  readonly changedAt: number | null
}

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
  state: { health: LaneHealthState; reason: string | null; since: number; changedAt: number },
): Promise<void> => {
  const { health, reason, since, changedAt } = state
  await tx.run(
    `INSERT INTO lane_health (org_id, session_id, lane, display_id, health, reason, since, changed_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (org_id, session_id, lane, display_id)
     DO UPDATE SET health = excluded.health, reason = excluded.reason, since = excluded.since, changed_at = excluded.changed_at`,
    [scope.orgId, key.sessionId, key.lane, key.displayId, health, reason, since, changedAt],
  )
}

/** Lanes that are otherwise than was published of them, in the order in which they changed. */
export const listUntold = (tx: Tx, scope: Scope, sessionId: string): Promise<(LaneState & ToldHealth)[]> =>
  tx.all(
    `SELECT lane, display_id AS "displayId", health, reason, since, told_health AS "told", changed_at AS "changedAt"
     FROM lane_health WHERE org_id = ? AND session_id = ? AND (told_health IS NULL OR told_health <> health)
     ORDER BY changed_at, lane, display_id`,
    [scope.orgId, sessionId],
  )

export const markTold = async (tx: Tx, scope: Scope, sessionId: string): Promise<void> => {
  await tx.run('UPDATE lane_health SET told_health = health WHERE org_id = ? AND session_id = ?', [
    scope.orgId,
    sessionId,
  ])
}

const placeColumns: readonly ColumnSpec[] = [
  { name: 'org_id', type: 'text' },
  { name: 'session_id', type: 'text' },
  { name: 'lane', type: 'text' },
  { name: 'display_id', type: 'text' },
  { name: 'from_at', type: 'bigint' },
  { name: 'client_id', type: 'text' },
  { name: 'to_at', type: 'bigint' },
]
const place = ['org_id', 'session_id', 'lane', 'display_id', 'from_at', 'client_id']
const placeValues = (scope: Scope, sessionId: string, row: Told<Omit<LaneGap, 'reason'>>) => [
  ...[scope.orgId, sessionId, row.lane, row.displayId],
  ...[row.fromAt, row.clientId, row.toAt],
]

const windowColumns: readonly ColumnSpec[] = [
  ...placeColumns,
  { name: 'expected_seconds', type: 'double precision' },
  { name: 'observed_seconds', type: 'double precision' },
]
const windowChanges =
  'to_at = excluded.to_at, expected_seconds = excluded.expected_seconds, observed_seconds = excluded.observed_seconds'

/** New windows, and such as grew. No key may come twice. */
export const saveWindows = async (
  tx: Tx,
  scope: Scope,
  sessionId: string,
  windows: readonly Told<LaneWindow>[],
): Promise<void> => {
  const rows = windows.map((w) => [...placeValues(scope, sessionId, w), w.expectedSeconds, w.observedSeconds])
  await tx.insertMany('lane_windows', windowColumns, rows, { upsert: { on: place, set: windowChanges } })
}

const gapColumns: readonly ColumnSpec[] = [...placeColumns, { name: 'reason', type: 'text' }]

/** New gaps, and such as grew. No key may come twice. */
export const saveGaps = async (
  tx: Tx,
  scope: Scope,
  sessionId: string,
  gaps: readonly Told<LaneGap>[],
): Promise<void> => {
  const rows = gaps.map((gap) => [...placeValues(scope, sessionId, gap), gap.reason])
  await tx.insertMany('lane_gaps', gapColumns, rows, { upsert: { on: place, set: 'to_at = excluded.to_at' } })
}

const removeFrom =
  (table: 'lane_windows' | 'lane_gaps') =>
  async (tx: Tx, scope: Scope, sessionId: string, rows: readonly Told<Omit<LaneGap, 'reason'>>[]): Promise<void> => {
    for (const { lane, displayId, fromAt, clientId } of rows)
      await tx.run(`DELETE FROM ${table} WHERE ${place.map((name) => `${name} = ?`).join(' AND ')}`, [
        ...[scope.orgId, sessionId, lane, displayId],
        ...[fromAt, clientId],
      ])
  }
export const removeWindows = removeFrom('lane_windows')
export const removeGaps = removeFrom('lane_gaps')

export const listWindows = (
  reader: Reader,
  scope: Pick<Scope, 'orgId'>,
  sessionId: string,
): Promise<Told<LaneWindow>[]> =>
  reader.all<Told<LaneWindow>>(
    `SELECT lane, display_id AS "displayId", from_at AS "fromAt", to_at AS "toAt", expected_seconds AS "expectedSeconds",
       observed_seconds AS "observedSeconds", client_id AS "clientId"
     FROM lane_windows WHERE org_id = ? AND session_id = ? ORDER BY lane, display_id, from_at, client_id`,
    [scope.orgId, sessionId],
  )

export const listGaps = (reader: Reader, scope: Pick<Scope, 'orgId'>, sessionId: string): Promise<Told<LaneGap>[]> =>
  reader.all<Told<LaneGap>>(
    `SELECT lane, display_id AS "displayId", from_at AS "fromAt", to_at AS "toAt", reason,
       client_id AS "clientId"
     FROM lane_gaps WHERE org_id = ? AND session_id = ? ORDER BY from_at, lane, display_id, client_id`,
    [scope.orgId, sessionId],
  )

/** What windows and gaps say, without the events that told of them: in the order of their keys, which costs nothing. */
export const listSpans = async (
  reader: Reader,
  scope: Scope,
  sessionId: string,
): Promise<{ windows: LaneWindow[]; gaps: LaneGap[] }> => {
  const place = 'lane, display_id AS "displayId", from_at AS "fromAt", to_at AS "toAt"'
  const ofSession = 'WHERE org_id = ? AND session_id = ? ORDER BY lane, display_id, from_at'
  const own = [scope.orgId, sessionId]
  const windows = await reader.all<LaneWindow>(
    `SELECT ${place}, expected_seconds AS "expectedSeconds", observed_seconds AS "observedSeconds"
     FROM lane_windows ${ofSession}`,
    own,
  )
  return { windows, gaps: await reader.all<LaneGap>(`SELECT ${place}, reason FROM lane_gaps ${ofSession}`, own) }
}

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
