import type { ReviewSettings } from '@integrity/protocol'
import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { KeptSettings, Written } from './versioned-settings.model.ts'

/** Of both environments: the organisation is the whole scope. */
export type ReviewSettingsRow = KeptSettings<ReviewSettings>

export const findReviewSettings = async (reader: Reader, orgId: string): Promise<ReviewSettingsRow> => {
  const row = await reader.get<{ baseRates: number; version: number; updatedAt: number }>(
    `SELECT base_rates AS "baseRates", version, updated_at AS "updatedAt" FROM org_review_settings WHERE org_id = ?`,
    [orgId],
  )
  if (row === undefined) return { settings: { baseRates: true }, version: 0, updatedAt: null }
  const { baseRates, version, updatedAt } = row
  return { settings: { baseRates: Number(baseRates) === 1 }, version: Number(version), updatedAt }
}

/** The next version after one that was read; false where somebody else was faster. */
export const saveReviewSettings = async (
  tx: Tx,
  orgId: string,
  { settings, after, at }: Written<ReviewSettings>,
): Promise<boolean> => {
  const { changes } = await tx.run(
    `INSERT INTO org_review_settings (org_id, base_rates, version, updated_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (org_id) DO UPDATE SET base_rates = excluded.base_rates, version = excluded.version,
       updated_at = excluded.updated_at
     WHERE org_review_settings.version = excluded.version - 1`,
    [orgId, settings.baseRates ? 1 : 0, after + 1, at],
  )
  return changes > 0
}
