import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { BrandConfig, LogoRow } from './branding.types.ts'

/** A brand is of both environments: the organisation's id is the whole scope. */
interface Stored {
  readonly config: string | null
  readonly updatedAt: number | null
  readonly sha256: string | null
  readonly width: number | null
  readonly height: number | null
  readonly sizeBytes: number | null
}

const logoOf = ({ sha256, width, height, sizeBytes }: Stored): LogoRow | null =>
  sha256 === null ? null : { sha256, width: width ?? 0, height: height ?? 0, sizeBytes: sizeBytes ?? 0 }

/** The brand as set; every field may be absent. */
export const findBrand = async (
  reader: Reader,
  orgId: string,
): Promise<{ config: BrandConfig; updatedAt: number | null; logo: LogoRow | null }> => {
  const row = await reader.get<Stored>(
    `SELECT b.config, b.updated_at AS "updatedAt", l.sha256, l.width, l.height, l.size_bytes AS "sizeBytes"
     FROM orgs o LEFT JOIN brands b ON b.org_id = o.org_id LEFT JOIN brand_logos l ON l.org_id = o.org_id
     WHERE o.org_id = ?`,
    [orgId],
  )
  const config = row?.config ? (JSON.parse(row.config) as BrandConfig) : {}
  return { config, updatedAt: row?.updatedAt ?? null, logo: row ? logoOf(row) : null }
}

interface SavedConfig {
  readonly config: BrandConfig
  /** When what is replaced was set; 0 where nothing was. */
  readonly after: number
  readonly at: number
}

/** @returns false where somebody else has set it since `after` */
export const saveConfig = async (tx: Tx, orgId: string, { config, after, at }: SavedConfig): Promise<boolean> => {
  const { changes } = await tx.run(
    `INSERT INTO brands (org_id, config, updated_at) VALUES (?, ?, ?)
     ON CONFLICT (org_id) DO UPDATE SET config = excluded.config, updated_at = excluded.updated_at
     WHERE brands.updated_at = ?`,
    [orgId, JSON.stringify(config), at, after],
  )
  return changes > 0
}

export const findLogo = async (reader: Reader, orgId: string): Promise<{ sha256: string; png: Buffer } | undefined> => {
  const sql = 'SELECT sha256, png_base64 AS png FROM brand_logos WHERE org_id = ?'
  const row = await reader.get<{ sha256: string; png: string }>(sql, [orgId])
  return row && { sha256: row.sha256, png: Buffer.from(row.png, 'base64') }
}

export const saveLogo = async (tx: Tx, orgId: string, logo: LogoRow, png: Buffer): Promise<void> => {
  await tx.run(
    `INSERT INTO brand_logos (org_id, sha256, width, height, size_bytes, png_base64) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (org_id) DO UPDATE SET sha256 = excluded.sha256, width = excluded.width, height = excluded.height,
       size_bytes = excluded.size_bytes, png_base64 = excluded.png_base64`,
    [orgId, logo.sha256, logo.width, logo.height, logo.sizeBytes, png.toString('base64')],
  )
}

/** @returns whether there was one */
export const deleteLogo = async (tx: Tx, orgId: string): Promise<boolean> =>
  (await tx.run('DELETE FROM brand_logos WHERE org_id = ?', [orgId])).changes > 0
