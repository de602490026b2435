import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { RecipientRow } from './recipients.types.ts'

const columns = 'recipient_id AS id, recipient, label, added_at AS "addedAt", removed_at AS "removedAt"'

/** In the order they were added. */
export const listRecipients = (reader: Reader, orgId: string): Promise<RecipientRow[]> =>
  reader.all<RecipientRow>(`SELECT ${columns} FROM org_recipients WHERE org_id = ? ORDER BY recipient_id`, [orgId])

export const insertRecipient = async (tx: Tx, orgId: string, row: RecipientRow): Promise<void> => {
  await tx.run('INSERT INTO org_recipients (org_id, recipient_id, recipient, label, added_at) VALUES (?, ?, ?, ?, ?)', [
    orgId,
    row.id,
    row.recipient,
    row.label,
    row.addedAt,
  ])
}

/** Whether it was in force until now. */
export const markRemoved = async (tx: Tx, orgId: string, id: string, at: number): Promise<boolean> => {
  const { changes } = await tx.run(
    'UPDATE org_recipients SET removed_at = ? WHERE org_id = ? AND recipient_id = ? AND removed_at IS NULL',
    [at, orgId, id],
  )
  return changes === 1
}
