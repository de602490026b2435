import type { DataProtection } from '@integrity/protocol'
import type { Reader, Tx } from '../../../platform/db/types.ts'

/** Of both environments: the organisation is the whole scope. */
export interface DataProtectionRow {
  readonly settings: DataProtection
  readonly updatedAt: number | null
}

export const findDataProtection = async (reader: Reader, orgId: string): Promise<DataProtectionRow> => {
  const row = await reader.get<{ settings: string; updatedAt: number }>(
    'SELECT settings, updated_at AS "updatedAt" FROM org_data_protection WHERE org_id = ?',
    [orgId],
  )
  return row === undefined
    ? { settings: {}, updatedAt: null }
    : { settings: JSON.parse(row.settings) as DataProtection, updatedAt: row.updatedAt }
}

export const saveDataProtection = async (
  tx: Tx,
  orgId: string,
  { settings, at }: { readonly settings: DataProtection; readonly at: number },
): Promise<void> => {
  await tx.run(
    `INSERT INTO org_data_protection (org_id, settings, updated_at) VALUES (?, ?, ?)
     ON CONFLICT (org_id) DO UPDATE SET settings = excluded.settings, updated_at = excluded.updated_at`,
    [orgId, JSON.stringify(settings), at],
  )
}
