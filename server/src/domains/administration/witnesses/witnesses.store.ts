import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { Chosen, WitnessesRow } from './witnesses.types.ts'

const columns = `org_id AS "orgId", mail, webhook, witness_url AS "witnessUrl", witness_key AS "witnessKey",
  mailed_rows AS "mailedRows", mailed_at AS "mailedAt", published_rows AS "publishedRows", published_at AS "publishedAt",
  version, asked_at AS "askedAt", cosigned_rows AS "cosignedRows", cosigned_at AS "cosignedAt", cosigned, problem`

interface Raw extends Omit<WitnessesRow, 'mail' | 'webhook'> {
  readonly mail: number
  readonly webhook: number
}
const fromRaw = (raw: Raw): WitnessesRow => ({ ...raw, mail: raw.mail === 1, webhook: raw.webhook === 1 })

export const findWitnesses = async (reader: Reader, orgId: string): Promise<WitnessesRow | undefined> => {
  const raw = await reader.get<Raw>(`SELECT ${columns} FROM audit_witnesses WHERE org_id = ?`, [orgId])
  return raw && fromRaw(raw)
}

/** Crosses tenants: who chose anything, in the order of organisations. */
export const listWitnessesOfAllOrgs = async (reader: Reader, after: string, limit: number): Promise<WitnessesRow[]> => {
  const rows = await reader.all<Raw>(
    `SELECT ${columns} FROM audit_witnesses WHERE org_id > ? ORDER BY org_id LIMIT ?`,
    [after, limit],
  )
  return rows.map(fromRaw)
}

/** Another witness than the one `before` has seen nothing yet. */
export const saveChosen = async (
  tx: Tx,
  orgId: string,
  before: WitnessesRow | undefined,
  chosen: Chosen,
): Promise<void> => {
  const { mail, webhook, witnessUrl, witnessKey } = chosen
  await tx.run(
    `INSERT INTO audit_witnesses (org_id, mail, webhook, witness_url, witness_key, version)
     VALUES (?, ?, ?, ?, ?, 1)
     ON CONFLICT (org_id) DO UPDATE SET mail = excluded.mail, webhook = excluded.webhook,
       witness_url = excluded.witness_url, witness_key = excluded.witness_key, version = audit_witnesses.version + 1`,
    [orgId, mail ? 1 : 0, webhook ? 1 : 0, witnessUrl, witnessKey],
  )
  if (before && (before.witnessUrl !== witnessUrl || before.witnessKey !== witnessKey))
    await tx.run(
      `UPDATE audit_witnesses SET asked_at = 0, cosigned_rows = 0, cosigned_at = 0, cosigned = NULL, problem = NULL
       WHERE org_id = ?`,
      [orgId],
    )
}

export const markPublished = async (tx: Tx, orgId: string, rows: number, at: number): Promise<void> => {
  await tx.run('UPDATE audit_witnesses SET published_rows = ?, published_at = ? WHERE org_id = ?', [rows, at, orgId])
}

export const markMailed = async (tx: Tx, orgId: string, rows: number, at: number): Promise<void> => {
  await tx.run('UPDATE audit_witnesses SET mailed_rows = ?, mailed_at = ? WHERE org_id = ?', [rows, at, orgId])
}

export const markAsked = async (tx: Tx, orgId: string, at: number): Promise<void> => {
  await tx.run('UPDATE audit_witnesses SET asked_at = ? WHERE org_id = ?', [at, orgId])
}

/** Of the witness that was asked, unless another one was chosen meanwhile. */
interface Asked {
  readonly orgId: string
  readonly witnessUrl: string
}

export const markCosigned = async (
  tx: Tx,
  { orgId, witnessUrl }: Asked,
  { rows, at, checkpoint }: { rows: number; at: number; checkpoint: string },
): Promise<void> => {
  await tx.run(
    `UPDATE audit_witnesses SET cosigned_rows = ?, cosigned_at = ?, cosigned = ?, problem = NULL
     WHERE org_id = ? AND witness_url = ?`,
    [rows, at, checkpoint, orgId, witnessUrl],
  )
}

export const markProblem = async (tx: Tx, { orgId, witnessUrl }: Asked, problem: string): Promise<void> => {
  await tx.run('UPDATE audit_witnesses SET problem = ? WHERE org_id = ? AND witness_url = ?', [
    ...[problem, orgId, witnessUrl],
  ])
}
