import type { DataProtection } from '@integrity/protocol'
import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { KeptSettings, Written } from './versioned-settings.model.ts'

/** Of both environments: the organisation is the whole scope. */
export type DataProtectionRow = KeptSettings<DataProtection>

export const findDataProtection = async (reader: Reader, orgId: string): Promise<DataProtectionRow> => {
  const row = await reader.get<Omit<DataProtectionRow, 'settings'> & { settings: string }>(
    'SELECT settings, version, updated_at AS "updatedAt" FROM org_data_protection WHERE org_id = ?',
    [orgId],
  )
  if (row === undefined) return { settings: {}, version: 0, updatedAt: null }
  return { ...row, settings: JSON.parse(row.settings) as DataProtection, version: Number(row.version) }
}

/** The next version after one that was read; false where somebody else was faster. */
export const saveDataProtection = async (
  tx: Tx,
  orgId: string,
  { settings, after, at }: Written<DataProtection>,
): Promise<boolean> => {
  const { changes } = await tx.run(
    `INSERT INTO org_data_protection (org_id, settings, version, updated_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (org_id) DO UPDATE SET settings = excluded.settings, version = excluded.version,
       updated_at = excluded.updated_at
     WHERE org_data_protection.version = excluded.version - 1`,
    [orgId, JSON.stringify(settings), after + 1, at],
  )
  return changes > 0
}
