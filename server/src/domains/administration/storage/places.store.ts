import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { PlaceCheck } from '../../../platform/storage/probe-place.ts'
import type { PlaceRow, PlaceSettings } from './storage.types.ts'

interface Stored extends Omit<PlaceRow, 'settings' | 'inUse' | 'checks'> {
  readonly settings: string
  readonly inUse: 0 | 1
  readonly checks: string
}

const columns = `place_id AS id, settings, wrapped_secrets AS "wrappedSecrets", in_use AS "inUse", set_at AS "setAt",
  replaced_at AS "replacedAt", validated_at AS "validatedAt", checks, emptied_at AS "emptiedAt"`

const placeOf = (row: Stored): PlaceRow => ({
  ...row,
  settings: JSON.parse(row.settings) as PlaceSettings,
  inUse: row.inUse === 1,
  checks: JSON.parse(row.checks) as PlaceCheck[],
})

/** The places of an organisation are of both environments: its id is the whole scope. The one in use comes first. */
export const listPlaces = async (reader: Reader, orgId: string): Promise<PlaceRow[]> => {
  const rows = await reader.all<Stored>(
    `SELECT ${columns} FROM storage_places WHERE org_id = ? ORDER BY in_use DESC, replaced_at DESC, place_id`,
    [orgId],
  )
  return rows.map(placeOf)
}

/** Across organisations: the places elsewhere that are in use, a page behind one organisation. */
export const listRemoteOfAllOrgs = async (
  reader: Reader,
  after: string,
  limit: number,
): Promise<{ readonly orgId: string; readonly place: PlaceRow }[]> => {
  const rows = await reader.all<Stored & { orgId: string }>(
    `SELECT org_id AS "orgId", ${columns} FROM storage_places
     WHERE org_id > ? AND in_use = 1 AND provider <> 'local' ORDER BY org_id LIMIT ?`,
    [after, limit],
  )
  return rows.map(({ orgId, ...row }) => ({ orgId, place: placeOf(row) }))
}

/** Across organisations: how many may have objects elsewhere than on this machine. */
export const countElsewhereOfAllOrgs = async (reader: Reader): Promise<number> => {
  const row = await reader.get<{ n: number }>(
    "SELECT count(DISTINCT org_id) AS n FROM storage_places WHERE provider <> 'local' AND emptied_at IS NULL",
  )
  return row?.n ?? 0
}

/** Call with the migration locked. */
export const savePlace = async (tx: Tx, orgId: string, place: PlaceRow): Promise<void> => {
  await tx.run(
    `INSERT INTO storage_places (org_id, place_id, provider, settings, wrapped_secrets, in_use, set_at, replaced_at,
       validated_at, checks, emptied_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (org_id, place_id) DO UPDATE SET provider = excluded.provider, settings = excluded.settings,
       wrapped_secrets = excluded.wrapped_secrets, in_use = excluded.in_use, set_at = excluded.set_at,
       replaced_at = excluded.replaced_at, validated_at = excluded.validated_at, checks = excluded.checks,
       emptied_at = excluded.emptied_at`,
    [
      ...[orgId, place.id, place.settings.provider, JSON.stringify(place.settings), place.wrappedSecrets],
      ...[place.inUse ? 1 : 0, place.setAt, place.replacedAt, place.validatedAt, JSON.stringify(place.checks)],
      place.emptiedAt,
    ],
  )
}

/** Call with the migration locked. */
export const saveChecks = async (
  tx: Tx,
  orgId: string,
  { id, checks, validatedAt }: Pick<PlaceRow, 'id' | 'checks' | 'validatedAt'>,
): Promise<void> => {
  await tx.run('UPDATE storage_places SET checks = ?, validated_at = ? WHERE org_id = ? AND place_id = ?', [
    ...[JSON.stringify(checks), validatedAt, orgId, id],
  ])
}

/** Call with the migration locked. */
export const markEmptied = async (tx: Tx, orgId: string, placeId: string, at: number): Promise<void> => {
  await tx.run('UPDATE storage_places SET emptied_at = ? WHERE org_id = ? AND place_id = ? AND in_use = 0', [
    ...[at, orgId, placeId],
  ])
}
