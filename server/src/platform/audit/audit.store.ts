import type { Tx } from '../db/types.ts'

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

export const insertRow = async (tx: Tx, row: StoredRow): Promise<void> => {
  await tx.run(
    `INSERT INTO audit_log (org_id, seq, at, actor_kind, actor_id, action, target, session_id, payload_hash, prev_hash, hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      row.orgId,
      row.seq,
      row.at,
      row.actorKind,
      row.actorId,
      row.action,
      row.target,
      row.sessionId,
      row.payloadHash,
      row.prevHash,
      row.hash,
    ],
  )
  await tx.run('UPDATE org_heads SET audit_seq = ?, audit_hash = ? WHERE org_id = ?', [row.seq, row.hash, row.orgId])
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
