import type { AuditAction } from '@integrity/protocol'
import type { Reader } from '../../platform/db/types.ts'

export interface SessionPlace {
  readonly orgId: string
  readonly sessionId: string
}

/** Crosses tenants, for the operator: the organisations that have a trail, in the order of their ids. */
export const nextTrailAcrossOrgs = async (reader: Reader, after: string): Promise<string | undefined> =>
  (
    await reader.get<{ orgId: string }>(
      'SELECT org_id AS "orgId" FROM org_heads WHERE org_id > ? ORDER BY org_id LIMIT 1',
      [after],
    )
  )?.orgId

/** The sessions that a trail tells of, in the order of their ids. */
export const nextSessionOfTrail = async (
  reader: Reader,
  { orgId, sessionId }: SessionPlace,
): Promise<string | undefined> =>
  (
    await reader.get<{ sessionId: string }>(
      `SELECT session_id AS "sessionId" FROM audit_log
       WHERE org_id = ? AND session_id > ? AND action <> 'session.events_received' ORDER BY session_id LIMIT 1`,
      [orgId, sessionId],
    )
  )?.sessionId

/** A row that says which records of a session were written with it. */
export interface RecordEntry {
  readonly seq: number
  readonly target: string
  readonly payloadHash: string | null
  readonly salt: string | null
  readonly payload: string | null
}

const spelled = (action: AuditAction): string =>
  action === 'session.events_received'
    ? "a.action = 'session.events_received'"
    : "a.action <> 'session.events_received' AND a.action = ?"

/** The records of one action after `after`, in the order of the chain. */
export const recordEntries = (
  reader: Reader,
  { orgId, sessionId }: SessionPlace,
  { action, after }: { readonly action: AuditAction; readonly after: number },
): Promise<RecordEntry[]> =>
  reader.all<RecordEntry>(
    `SELECT a.seq, a.target, a.payload_hash AS "payloadHash", p.salt, p.payload
     FROM audit_log a LEFT JOIN audit_payloads p ON p.org_id = a.org_id AND p.seq = a.seq
     WHERE a.org_id = ? AND a.session_id = ? AND a.seq > ? AND ${spelled(action)} ORDER BY a.seq`,
    [orgId, sessionId, after, ...(action === 'session.events_received' ? [] : [action])],
  )
