import { randomBytes } from 'node:crypto'
import type { AuditAction } from '@integrity/protocol'
import type { Reader, Tx } from '../../platform/db/types.ts'
import { touchedBy } from './audit.commitments.ts'
import type { RecordEntry, SessionPlace } from './audit.records.store.ts'

/** 16 bytes, hex; undefined where nothing was committed to yet. */
export const findSalt = async (reader: Reader, { orgId, sessionId }: SessionPlace): Promise<string | undefined> =>
  (
    await reader.get<{ salt: string }>('SELECT salt FROM record_salts WHERE org_id = ? AND session_id = ?', [
      orgId,
      sessionId,
    ])
  )?.salt

/** The salt of a record, made if there is none. */
export const takeSalt = async (tx: Tx, place: SessionPlace): Promise<string> => {
  const known = await findSalt(tx, place)
  if (known !== undefined) return known
  await tx.run('INSERT INTO record_salts (org_id, session_id, salt) VALUES (?, ?, ?) ON CONFLICT DO NOTHING', [
    ...[place.orgId, place.sessionId],
    randomBytes(16).toString('hex'),
  ])
  const made = await findSalt(tx, place)
  if (made === undefined) throw new Error(`the session ${place.sessionId} has no salt for its records`)
  return made
}

export const deleteSalt = async (tx: Tx, { orgId, sessionId }: SessionPlace): Promise<void> => {
  await tx.run('DELETE FROM record_salts WHERE org_id = ? AND session_id = ?', [orgId, sessionId])
}

export interface CommittingEntry extends RecordEntry {
  readonly action: AuditAction
}

const erasingActions = ['session.partly_erased', 'session.erased'] as const satisfies readonly AuditAction[]
const committing = [...(Object.keys(touchedBy) as AuditAction[]), ...erasingActions]
const holding = ['legal_hold.placed', 'legal_hold.released'] as const satisfies readonly AuditAction[]
/** As texts, so that the indexes without the rows of received events are seen to fit. */
const listed = (actions: readonly string[]): string =>
  `a.action <> 'session.events_received' AND a.action IN (${actions.map((action) => `'${action}'`).join(', ')})`
const committingText = listed(committing)
const holdingText = listed(holding)
const columns = 'a.seq, a.action, a.target, a.payload_hash AS "payloadHash", p.salt, p.payload'
const tables = 'audit_log a LEFT JOIN audit_payloads p ON p.org_id = a.org_id AND p.seq = a.seq'

/**
 * The rows that commit to records of a session, in the order of the chain, or those of some actions alone; with an empty
 * session those of the organisation itself.
 */
export const committingEntries = (
  reader: Reader,
  { orgId, sessionId }: SessionPlace,
  only: readonly AuditAction[] | undefined,
): Promise<CommittingEntry[]> =>
  sessionId === ''
    ? reader.all<CommittingEntry>(
        `SELECT ${columns} FROM ${tables} WHERE a.org_id = ? AND a.session_id IS NULL AND a.target = ?
           AND ${holdingText} ORDER BY a.seq`,
        [orgId, orgId],
      )
    : reader.all<CommittingEntry>(
        `SELECT ${columns} FROM ${tables} WHERE a.org_id = ? AND a.session_id = ?
           AND ${only ? listed(only) : committingText} ORDER BY a.seq`,
        [orgId, sessionId],
      )

/** Whether the trail's last word on a hold on a session, or with an empty one on the organisation, is that it was placed. */
export const isHeldByTrail = async (reader: Reader, { orgId, sessionId }: SessionPlace): Promise<boolean> => {
  const rows = await reader.all<{ seq: number; action: (typeof holding)[number] }>(
    `SELECT a.seq, a.action FROM audit_log a WHERE a.org_id = ? AND ${holdingText}
       AND ${sessionId === '' ? 'a.session_id IS NULL AND a.target = ?' : 'a.session_id = ?'}`,
    [orgId, sessionId === '' ? orgId : sessionId],
  )
  const [last] = rows.toSorted((a, b) => b.seq - a.seq)
  return last?.action === 'legal_hold.placed'
}
