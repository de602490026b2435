import type { Tx } from '../../../platform/db/types.ts'

/** Claims the reminder of this week; false where one was sent after `since`. Epoch milliseconds. */
export const claimReminder = async (
  tx: Tx,
  { orgId, now, since }: { readonly orgId: string; readonly now: number; readonly since: number },
): Promise<boolean> => {
  const { changes } = await tx.run(
    `INSERT INTO retention_reminders (org_id, reminded_at) VALUES (?, ?) ON CONFLICT (org_id) DO UPDATE
     SET reminded_at = excluded.reminded_at WHERE retention_reminders.reminded_at <= ?`,
    [orgId, now, since],
  )
  return changes > 0
}
