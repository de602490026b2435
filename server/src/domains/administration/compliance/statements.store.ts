import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { KeptSentence } from './statement.types.ts'

/** The newest statement of an organisation, which is of both environments. */
export interface StatementRow {
  readonly number: number
  readonly sentences: readonly KeptSentence[]
  readonly changedAt: number
}

export const findStatement = async (reader: Reader, orgId: string): Promise<StatementRow | undefined> => {
  const row = await reader.get<Omit<StatementRow, 'sentences'> & { sentences: string }>(
    'SELECT number, sentences, changed_at AS "changedAt" FROM org_statements WHERE org_id = ?',
    [orgId],
  )
  return row && { ...row, sentences: JSON.parse(row.sentences) as KeptSentence[] }
}

/** Puts the next one in the place of that with the number before it; false where somebody else was first. */
export const saveStatement = async (
  tx: Tx,
  orgId: string,
  { number, sentences, changedAt }: StatementRow,
): Promise<boolean> => {
  const { changes } = await tx.run(
    `INSERT INTO org_statements (org_id, number, sentences, changed_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (org_id) DO UPDATE SET number = excluded.number, sentences = excluded.sentences,
       changed_at = excluded.changed_at WHERE org_statements.number = excluded.number - 1`,
    [orgId, number, JSON.stringify(sentences), changedAt],
  )
  return changes > 0
}

/** Organisations of which none was ever computed, after this one; of all tenants. */
export const nextWithoutStatementAcrossOrgs = async (reader: Reader, after: string): Promise<string | undefined> =>
  (
    await reader.get<{ orgId: string }>(
      `SELECT o.org_id AS "orgId" FROM orgs o WHERE o.org_id > ?
         AND NOT EXISTS (SELECT 1 FROM org_statements s WHERE s.org_id = o.org_id) ORDER BY o.org_id LIMIT 1`,
      [after],
    )
  )?.orgId

/** Has the statement compared then, or later where that was asked before. Nothing where none was computed yet. */
export const compareAt = async (tx: Tx, orgId: string, at: number): Promise<void> => {
  await tx.run('UPDATE org_statements SET compare_at = ? WHERE org_id = ?', [at, orgId])
}

/** Takes back that it is to be compared, unless that was asked again since. */
export const forgetComparing = async (tx: Tx, orgId: string, at: number): Promise<boolean> =>
  (await tx.run('UPDATE org_statements SET compare_at = NULL WHERE org_id = ? AND compare_at = ?', [orgId, at]))
    .changes > 0

/** One whose configuration has rested until `now`; of all tenants. */
export const nextToCompareAcrossOrgs = (
  reader: Reader,
  now: number,
): Promise<{ readonly orgId: string; readonly at: number } | undefined> =>
  reader.get(
    'SELECT org_id AS "orgId", compare_at AS at FROM org_statements WHERE compare_at <= ? ORDER BY compare_at LIMIT 1',
    [now],
  )
