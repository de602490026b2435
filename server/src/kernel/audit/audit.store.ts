import { arrayText } from '../../platform/db/postgres.arrays.ts'
import type { ColumnSpec, Tx } from '../../platform/db/types.ts'

interface Head {
  seq: number
  hash: string
}

/** Reads the head and holds it until the commit, so that rows of one organisation are appended one after the other. */
export const lockHead = async (tx: Tx, orgId: string): Promise<Head> => {
  const head = await tx.get<Head>(
    `SELECT audit_seq AS seq, audit_hash AS hash FROM org_heads WHERE org_id = ?${tx.forUpdate}`,
    [orgId],
  )
  if (!head) throw new Error(`organisation ${orgId} has no audit chain`)
  return head
}

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

/** Rows of one organisation that continue its chain, in their order, of which the last becomes the head. */
export const insertRows = async (tx: Tx, rows: readonly StoredRow[]): Promise<void> => {
  const values = rows.map((row) => [
    ...[row.orgId, row.seq, row.at, row.actorKind, row.actorId, row.action, row.target],
    ...[row.sessionId, row.payloadHash, row.prevHash, row.hash],
  ])
  await tx.insertMany('audit_log', rowColumns, values)
  const last = rows.at(-1)!
  // The head has not moved since it was read, or else nothing is written.
  await tx.run('UPDATE org_heads SET audit_seq = ?, audit_hash = ? WHERE org_id = ? AND audit_seq = ?', [
    ...[last.seq, last.hash, last.orgId, last.seq - rows.length],
  ])
}

export interface UnhashedRow extends Omit<StoredRow, 'seq' | 'prevHash' | 'hash'> {
  /** The canonical row around prevHash and seq, see `canonicalParts`. */
  readonly parts: { readonly before: string; readonly between: string; readonly after: string }
  /** `prevHash` of a chain's first row. */
  readonly genesis: string
}

/**
 * Locks the head, hashes, moves the head and appends the row in one statement, where `tx.hashesInSql`. Answers the row's
 * `seq`. The head stays locked until the commit, but for no round trip before it.
 */
export const appendHashed = async (tx: Tx, row: UnhashedRow): Promise<number> => {
  const { before, between, after } = row.parts
  const made = await tx.get<{ seq: number }>(
    `WITH head AS (
       SELECT audit_seq AS seq, CASE WHEN audit_seq = 0 THEN ?::text ELSE audit_hash END AS prev
       FROM org_heads WHERE org_id = ? FOR UPDATE),
     next AS (
       SELECT seq + 1 AS seq, prev,
         encode(sha256(convert_to(?::text || prev || ?::text || (seq + 1)::text || ?::text, 'UTF8')), 'hex') AS hash
       FROM head),
     moved AS (
       UPDATE org_heads SET audit_seq = next.seq, audit_hash = next.hash FROM next WHERE org_heads.org_id = ?)
     INSERT INTO audit_log (org_id, seq, at, actor_kind, actor_id, action, target, session_id, payload_hash, prev_hash, hash)
     SELECT ?::text, next.seq, ?::bigint, ?::text, ?::text, ?::text, ?::text, ?::text, ?::text, next.prev, next.hash
     FROM next RETURNING seq`,
    [
      ...[row.genesis, row.orgId, before, between, after, row.orgId],
      ...[row.orgId, row.at, row.actorKind, row.actorId, row.action, row.target, row.sessionId, row.payloadHash],
    ],
  )
  if (!made) throw new Error(`organisation ${row.orgId} has no audit chain`)
  return made.seq
}

const appendAllText = `WITH RECURSIVE
  head AS (
    SELECT audit_seq AS seq, CASE WHEN audit_seq = 0 THEN ?::text ELSE audit_hash END AS hash
    FROM org_heads WHERE org_id = ? FOR UPDATE),
  entries AS MATERIALIZED (
    SELECT * FROM unnest(?::text[], ?::text[], ?::text[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])
      WITH ORDINALITY AS e (before, between_, after, at, actor_kind, actor_id, action, target, session_id, payload_hash, place)),
  chain AS (
    SELECT 0::bigint AS place, seq, ''::text AS prev, hash FROM head
    UNION ALL
    SELECT e.place, chain.seq + 1, chain.hash,
      encode(sha256(convert_to(before || chain.hash || between_ || (chain.seq + 1)::text || after, 'UTF8')), 'hex')
    FROM chain JOIN entries e ON e.place = chain.place + 1),
  moved AS (
    UPDATE org_heads SET audit_seq = last.seq, audit_hash = last.hash
    FROM (SELECT seq, hash FROM chain ORDER BY place DESC LIMIT 1) AS last WHERE org_heads.org_id = ?)
  INSERT INTO audit_log (org_id, seq, at, actor_kind, actor_id, action, target, session_id, payload_hash, prev_hash, hash)
  SELECT ?::text, chain.seq, at, actor_kind, actor_id, action, target, session_id, payload_hash, chain.prev, chain.hash
  FROM chain JOIN entries e ON e.place = chain.place RETURNING seq`

/** The same as `appendHashed` for rows of one organisation, in their order. Answers the `seq` of the first. */
export const appendAllHashed = async (tx: Tx, orgId: string, rows: readonly UnhashedRow[]): Promise<number> => {
  const column = (pick: (row: UnhashedRow) => string | number | null) => arrayText(rows.map(pick))
  const made = await tx.all<{ seq: number }>(appendAllText, [
    rows[0]?.genesis ?? '',
    orgId,
    column(({ parts }) => parts.before),
    column(({ parts }) => parts.between),
    column(({ parts }) => parts.after),
    column(({ at }) => at),
    column(({ actorKind }) => actorKind),
    column(({ actorId }) => actorId),
    column(({ action }) => action),
    column(({ target }) => target),
    column(({ sessionId }) => sessionId),
    column(({ payloadHash }) => payloadHash),
    orgId,
    orgId,
  ])
  if (made.length === 0) throw new Error(`organisation ${orgId} has no audit chain`)
  return Math.min(...made.map(({ seq }) => seq))
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
