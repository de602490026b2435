import { type SessionConfig, type SessionState, sessionConfig } from '@integrity/protocol'
import type { Environment, Scope } from '../../../kernel/identity/scope.ts'
import { remembering } from '../../../platform/cache.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'
import { countCreatedAt, countInState, countNewSession } from './lists/sessions.counts.store.ts'
import type { SessionRow, ShownSession } from './sessions.types.ts'

export interface Raw {
  [column: string]: string | number | null
}

/** A subquery, not a join: better-sqlite3 builds its row objects again for every row of a join, which costs five times the read. */
const counter = (column: 'observation_count' | 'last_contact_at'): string =>
  `(SELECT c.${column} FROM session_counters c WHERE c.org_id = s.org_id AND c.session_id = s.session_id) AS ${column}`

const orgHeld = 'EXISTS (SELECT 1 FROM retention_rules r WHERE r.org_id = s.org_id AND r.held = 1)'
/** Whether the session may not be erased: a hold of its own, or its organisation's. */
const held = `CASE WHEN s.legal_hold = 1 OR ${orgHeld} THEN 1 ELSE 0 END`

export const shownColumns = `session_id, environment, external_id, candidate_label, state, config, policy_version, policy_id,
  made_with_version, consent, ${counter('observation_count')}, ${held} AS legal_hold, meeting, schedule, provisioned_kind, provisioned_id, provisioned_label,
  created_at, started_at, ended_at, end_reason, erased_at`
const columns = `${shownColumns}, org_id, lanes_off, device, permissions, permission_times, capabilities, registered_at,
  ${counter('last_contact_at')}`

// The same session is read for every upload of its agent.
export const parseConfig = remembering((text): SessionConfig => sessionConfig.parse(JSON.parse(text)))
const parseJson = remembering((text): unknown => JSON.parse(text))
export const parseJsonText = <T>(value: string | number | null | undefined): T => parseJson(String(value)) as T
const jsonOrNull = <T>(value: string | number | null | undefined): T | null =>
  value == null ? null : parseJsonText<T>(value)

export const shownFromRaw = (raw: Raw): ShownSession =>
  ({
    id: raw['session_id'],
    environment: raw['environment'],
    externalId: raw['external_id'],
    candidateLabel: raw['candidate_label'],
    state: raw['state'],
    config: parseConfig(String(raw['config'])),
    policyVersion: raw['policy_version'],
    policy: raw['policy_id'] === null ? null : { id: raw['policy_id'], version: raw['made_with_version'] },
    consent: jsonOrNull(raw['consent']),
    eventCount: raw['observation_count'],
    legalHold: raw['legal_hold'] === 1,
    meeting: jsonOrNull(raw['meeting']),
    schedule: jsonOrNull(raw['schedule']),
    provisionedBy: { kind: raw['provisioned_kind'], id: raw['provisioned_id'], label: raw['provisioned_label'] },
    createdAt: raw['created_at'],
    startedAt: raw['started_at'],
    endedAt: raw['ended_at'],
    endReason: raw['end_reason'],
    erasedAt: raw['erased_at'],
  }) as ShownSession

const fromRaw = (raw: Raw): SessionRow =>
  ({
    ...shownFromRaw(raw),
    orgId: raw['org_id'],
    lanesOff: parseJsonText(raw['lanes_off']),
    device: jsonOrNull(raw['device']),
    permissions: parseJsonText(raw['permissions']),
    permissionTimes: parseJsonText(raw['permission_times']),
    capabilities: parseJsonText(raw['capabilities']),
    registeredAt: raw['registered_at'],
    lastContactAt: raw['last_contact_at'],
  }) as SessionRow

const byId = 'FROM sessions s WHERE s.org_id = ? AND environment = ? AND s.session_id = ?'
const one = `SELECT ${columns} ${byId}`
const oneShown = `SELECT ${shownColumns} ${byId}`

export const findSession = async (reader: Reader, scope: Scope, sessionId: string): Promise<SessionRow | undefined> => {
  const raw = await reader.get<Raw>(one, [scope.orgId, scope.environment, sessionId])
  return raw && fromRaw(raw)
}

export const findShownSession = async (
  reader: Reader,
  scope: Scope,
  sessionId: string,
): Promise<ShownSession | undefined> => {
  const raw = await reader.get<Raw>(oneShown, [scope.orgId, scope.environment, sessionId])
  return raw && shownFromRaw(raw)
}

/** Crosses the environments of one organisation, for people, who manage both. */
export const findEnvironmentOfSession = async (
  reader: Reader,
  orgId: string,
  sessionId: string,
): Promise<Environment | undefined> => {
  const row = await reader.get<{ environment: Environment }>(
    'SELECT environment FROM sessions WHERE org_id = ? AND session_id = ?',
    [orgId, sessionId],
  )
  return row?.environment
}

/** Whether there is a hold on the session itself, and on its organisation. */
export const findHolds = async (
  reader: Reader,
  scope: Scope,
  sessionId: string,
): Promise<{ own: boolean; org: boolean }> => {
  const row = await reader.get<{ own: number; org: number }>(
    `SELECT s.legal_hold AS own, CASE WHEN ${orgHeld} THEN 1 ELSE 0 END AS org ${byId}`,
    [scope.orgId, scope.environment, sessionId],
  )
  return { own: row?.own === 1, org: row?.org === 1 }
}

export const countHeldSessions = async (reader: Reader, orgId: string): Promise<number> => {
  const sql = `SELECT count(*) AS n FROM sessions WHERE org_id = ? AND environment IN ('live', 'sandbox') AND legal_hold = 1`
  return (await reader.get<{ n: number }>(sql, [orgId]))?.n ?? 0
}

/** Reads the session and holds it until the commit. */
export const findSessionForUpdate = async (
  tx: Tx,
  scope: Scope,
  sessionId: string,
): Promise<SessionRow | undefined> => {
  const raw = await tx.get<Raw>(`${one}${tx.forUpdate}`, [scope.orgId, scope.environment, sessionId])
  return raw && fromRaw(raw)
}

const countColumn = (scope: Scope) => (scope.environment === 'live' ? 'sessions_live' : 'sessions_sandbox')

/** A kept count. */
export const countAllSessions = async (reader: Reader, scope: Scope): Promise<number> =>
  (await reader.get<{ n: number }>(`SELECT ${countColumn(scope)} AS n FROM org_heads WHERE org_id = ?`, [scope.orgId]))
    ?.n ?? 0

/** The next dense position of the organisation's sessions; its row stays locked until the commit. */
export const nextPosition = async (tx: Tx, scope: Scope): Promise<number> => {
  const column = countColumn(scope)
  const row = await tx.get<{ n: number }>(
    `UPDATE org_heads SET ${column} = ${column} + 1 WHERE org_id = ? RETURNING ${column} AS n`,
    [scope.orgId],
  )
  if (!row) throw new Error(`organisation ${scope.orgId} has no heads`)
  return row.n
}

export interface NewSession {
  readonly id: string
  readonly position: number
  readonly externalId: string | null
  readonly candidateLabel: string | null
  readonly config: string
  readonly policy: { readonly id: string; readonly version: number } | null
  readonly schedule: string | null
  readonly provisionedBy: { kind: string; id: string; label: string | null }
  readonly now: number
}

export const insertSession = async (tx: Tx, scope: Scope, session: NewSession): Promise<void> => {
  await tx.run(
    `INSERT INTO sessions (org_id, session_id, environment, position, external_id, candidate_label, state, config,
       policy_version, policy_id, made_with_version, consent, schedule, provisioned_kind, provisioned_id, provisioned_label, permissions,
       capabilities, created_at)
     VALUES (?, ?, ?, ?, ?, ?, 'scheduled', ?, ?, ?, ?, 'null', ?, ?, ?, ?, '{}', '[]', ?)`,
    [
      scope.orgId,
      session.id,
      scope.environment,
      session.position,
      session.externalId,
      session.candidateLabel,
      session.config,
      session.policy?.version ?? 1,
      session.policy?.id ?? null,
      session.policy?.version ?? null,
      session.schedule,
      session.provisionedBy.kind,
      session.provisionedBy.id,
      session.provisionedBy.label,
      session.now,
    ],
  )
  await tx.run('INSERT INTO session_counters (org_id, session_id) VALUES (?, ?)', [scope.orgId, session.id])
  await countNewSession(tx, scope, { createdAt: session.now, provisionedBy: session.provisionedBy })
}

const updatable = {
  legalHold: 'legal_hold',
  config: 'config',
  policyVersion: 'policy_version',
  lanesOff: 'lanes_off',
  consent: 'consent',
  schedule: 'schedule',
  candidateLabel: 'candidate_label',
  meeting: 'meeting',
  device: 'device',
  permissions: 'permissions',
  permissionTimes: 'permission_times',
  capabilities: 'capabilities',
  registeredAt: 'registered_at',
  startedAt: 'started_at',
  endedAt: 'ended_at',
  endReason: 'end_reason',
  erasedAt: 'erased_at',
} as const
/** Not the state, which is counted: `changeState`. */
export type SessionChanges = { readonly [K in keyof typeof updatable]?: string | number | null }

export const updateSession = async (
  tx: Tx,
  scope: Scope,
  sessionId: string,
  changes: SessionChanges,
): Promise<void> => {
  const names = Object.keys(changes) as (keyof SessionChanges)[]
  if (names.length === 0) return
  const set = names.map((name) => `${updatable[name]} = ?`).join(', ')
  const values = names.map((name) => changes[name] ?? null)
  await tx.run(`UPDATE sessions SET ${set} WHERE org_id = ? AND environment = ? AND session_id = ?`, [
    ...values,
    scope.orgId,
    scope.environment,
    sessionId,
  ])
}

/** The session made at another time, and counted there. Call with the session locked, as it was. */
export const changeCreatedAt = async (
  tx: Tx,
  scope: Scope,
  session: Pick<SessionRow, 'id' | 'state' | 'createdAt' | 'provisionedBy'>,
  createdAt: number,
): Promise<void> => {
  await countCreatedAt(tx, scope, session, createdAt)
  await tx.run('UPDATE sessions SET created_at = ? WHERE org_id = ? AND environment = ? AND session_id = ?', [
    createdAt,
    scope.orgId,
    scope.environment,
    session.id,
  ])
}

/** The session in another state, and counted there. Call with the session locked, as it was. */
export const changeState = async (
  tx: Tx,
  scope: Scope,
  session: Pick<SessionRow, 'id' | 'state' | 'createdAt' | 'provisionedBy'>,
  state: SessionState,
): Promise<void> => {
  await countInState(tx, scope, session, state)
  await tx.run('UPDATE sessions SET state = ? WHERE org_id = ? AND environment = ? AND session_id = ?', [
    state,
    scope.orgId,
    scope.environment,
    session.id,
  ])
}
