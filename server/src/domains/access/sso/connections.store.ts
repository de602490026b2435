import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { ConnectionRow, SsoTestRow } from './sso.types.ts'

interface Stored extends Pick<ConnectionRow, 'wrappedSecrets' | 'defaultRole' | 'updatedAt'> {
  readonly settings: string
  readonly roleMapping: string
  readonly required: 0 | 1
  readonly test: string | null
}

/** A connection is of both environments: the organisation's id is the whole scope. */
export const findConnection = async (reader: Reader, orgId: string): Promise<ConnectionRow | undefined> => {
  const row = await reader.get<Stored>(
    `SELECT settings, wrapped_secrets AS "wrappedSecrets", default_role AS "defaultRole", role_mapping AS "roleMapping",
       required, updated_at AS "updatedAt", test FROM sso_connections WHERE org_id = ?`,
    [orgId],
  )
  return (
    row && {
      ...row,
      settings: JSON.parse(row.settings) as ConnectionRow['settings'],
      roleMapping: JSON.parse(row.roleMapping) as ConnectionRow['roleMapping'],
      required: row.required === 1,
      test: row.test === null ? null : (JSON.parse(row.test) as SsoTestRow),
    }
  )
}

/** Stores a changed connection: its test result is cleared, and whether it is required stays. */
export const saveConnection = async (tx: Tx, orgId: string, row: ConnectionRow): Promise<void> => {
  await tx.run(
    `INSERT INTO sso_connections (org_id, kind, settings, wrapped_secrets, default_role, role_mapping, required,
       updated_at, test) VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)
     ON CONFLICT (org_id) DO UPDATE SET kind = excluded.kind, settings = excluded.settings,
       wrapped_secrets = excluded.wrapped_secrets, default_role = excluded.default_role,
       role_mapping = excluded.role_mapping, updated_at = excluded.updated_at, test = NULL`,
    [
      ...[orgId, row.settings.kind, JSON.stringify(row.settings), row.wrappedSecrets, row.defaultRole],
      ...[JSON.stringify(row.roleMapping), Number(row.required), row.updatedAt],
    ],
  )
}

/** Stores a test result, unless the connection was changed since. */
export const saveTest = async (tx: Tx, orgId: string, updatedAt: number, test: SsoTestRow): Promise<void> => {
  await tx.run('UPDATE sso_connections SET test = ? WHERE org_id = ? AND updated_at = ?', [
    ...[JSON.stringify(test), orgId, updatedAt],
  ])
}

export const saveRequired = async (tx: Tx, orgId: string, required: boolean): Promise<void> => {
  await tx.run('UPDATE sso_connections SET required = ? WHERE org_id = ?', [Number(required), orgId])
}
