import { arrayText } from '../../platform/db/postgres/postgres.arrays.ts'
import type { ColumnSpec, Reader, Tx } from '../../platform/db/types.ts'
import type { HeadState, SealedHead } from './audit.seal.ts'

const headColumns = 'audit_seq AS seq, audit_hash AS hash, audit_signed AS signed, audit_mac AS mac'

const found = (orgId: string, head: SealedHead | undefined): SealedHead => {
  if (!head) throw new Error(`organisation ${orgId} has no audit chain`)
  return head
}

/** Reads the head and holds it until the commit, so that rows of one organisation are appended one after the other. */
export const lockHead = async (tx: Tx, orgId: string): Promise<SealedHead> =>
  found(orgId, await tx.get(`SELECT ${headColumns} FROM org_heads WHERE org_id = ?${tx.forUpdate}`, [orgId]))

/** Writes the whole head; the caller has it locked. */
export const updateHead = async (tx: Tx, orgId: string, { seq, hash, signed, mac }: SealedHead): Promise<void> => {
  await tx.run('UPDATE org_heads SET audit_seq = ?, audit_hash = ?, audit_signed = ?, audit_mac = ? WHERE org_id = ?', [
    ...[seq, hash, signed, mac, orgId],
  ])
}

/** Heads of organisations that were made before heads were sealed. */
export const headsWithoutMac = (reader: Reader, limit: number): Promise<(HeadState & { orgId: string })[]> =>
  reader.all(`SELECT org_id AS "orgId", ${headColumns} FROM org_heads WHERE audit_mac = '' LIMIT ?`, [limit])

export interface StoredRow {
  orgId: string
  seq: number
  at: number
  actorKind: string
  actorId: string
  action: string
  target: string
  sessionId: string | null
  payloadHash: string | null
  prevHash: string
  hash: string
}

const rowColumns: readonly ColumnSpec[] = [
  { name: 'org_id', type: 'text' },
  { name: 'seq', type: 'bigint' },
  { name: 'at', type: 'bigint' },
  { name: 'actor_kind', type: 'text' },
  { name: 'actor_id', type: 'text' },
  { name: 'action', type: 'text' },
  { name: 'target', type: 'text' },
  { name: 'session_id', type: 'text' },
  { name: 'payload_hash', type: 'text' },
  { name: 'prev_hash', type: 'text' },
  { name: 'hash', type: 'text' },
]

/** Rows that continue a chain, in their order, and the head that they lead to. */
export interface Continuation {
  readonly rows: readonly StoredRow[]
  readonly head: SealedHead
}

const valuesOf = (row: StoredRow) => [
  ...[row.orgId, row.seq, row.at, row.actorKind, row.actorId, row.action, row.target],
  ...[row.sessionId, row.payloadHash, row.prevHash, row.hash],
]

/** Appends behind a head that the caller has locked. */
export const insertRows = async (tx: Tx, orgId: string, { rows, head }: Continuation): Promise<void> => {
  await tx.insertMany('audit_log', rowColumns, rows.map(valuesOf))
  await updateHead(tx, orgId, head)
}

const names = rowColumns.map(({ name }) => name).join(', ')
const arrays = rowColumns.map(({ type }) => `?::${type}[]`).join(', ')
const appendText = `WITH
  head AS (SELECT ${headColumns} FROM org_heads WHERE org_id = ? FOR UPDATE),
  same AS (SELECT 1 FROM head WHERE seq = ?::bigint AND hash = ?::text AND signed = ?::bigint AND mac = ?::text),
  moved AS (
    UPDATE org_heads SET audit_seq = ?::bigint, audit_hash = ?::text, audit_signed = ?::bigint, audit_mac = ?::text
    FROM same WHERE org_heads.org_id = ?),
  added AS (INSERT INTO audit_log (${names}) SELECT e.* FROM same CROSS JOIN unnest(${arrays}) AS e (${names}))
  SELECT * FROM head`

/**
 * Locks the head, and appends in the same statement if it is the one that the caller remembers; where `tx.changesInWith`.
 * Answers the head as it was: another one than remembered means that nothing was written, and that it is locked now.
 */
export const appendRemembered = async (
  tx: Tx,
  orgId: string,
  remembered: SealedHead,
  { rows, head }: Continuation,
): Promise<SealedHead> => {
  const values = rows.map(valuesOf)
  return found(
    orgId,
    await tx.get<SealedHead>(appendText, [
      ...[orgId, remembered.seq, remembered.hash, remembered.signed, remembered.mac],
      ...[head.seq, head.hash, head.signed, head.mac, orgId],
      ...rowColumns.map((_, n) => arrayText(values.map((row) => row[n] ?? null))),
    ]),
  )
}

export const insertPayload = async (
  tx: Tx,
  orgId: string,
  seq: number,
  salt: string,
  payload: string,
): Promise<void> => {
  await tx.run('INSERT INTO audit_payloads (org_id, seq, salt, payload) VALUES (?, ?, ?, ?)', [
    orgId,
    seq,
    salt,
    payload,
  ])
}

/** Rows of received events are told apart as they have no payload, and are most of a session's. */
export const deletePayloads = async (tx: Tx, orgId: string, sessionId: string): Promise<void> => {
  await tx.run(
    `DELETE FROM audit_payloads WHERE org_id = ? AND seq IN (
       SELECT seq FROM audit_log WHERE org_id = ? AND session_id = ? AND action <> 'session.events_received')`,
    [orgId, orgId, sessionId],
  )
}
