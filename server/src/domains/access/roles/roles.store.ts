import type { Reader, Tx } from '../../../platform/db/types.ts'

export interface RoleRow {
  readonly id: string
  readonly name: string
  readonly description: string
  /** Names with spaces between them. */
  readonly permissions: string
  readonly createdAt: number
  readonly updatedAt: number
}

const columns = `role_id AS id, name, description, permissions, created_at AS "createdAt", updated_at AS "updatedAt"`

/** By name; an organisation has few. */
export const listRoles = (reader: Reader, orgId: string): Promise<RoleRow[]> =>
  reader.all<RoleRow>(`SELECT ${columns} FROM custom_roles WHERE org_id = ? ORDER BY name_key, role_id`, [orgId])

export const findRole = (reader: Reader, orgId: string, id: string): Promise<RoleRow | undefined> =>
  reader.get<RoleRow>(`SELECT ${columns} FROM custom_roles WHERE org_id = ? AND role_id = ?`, [orgId, id])

/** Names that people read as one: compared without regard to case, width and kinds of space. */
const nameKey = (name: string): string => name.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ')

export const findRoleByName = (reader: Reader, orgId: string, name: string): Promise<RoleRow | undefined> =>
  reader.get<RoleRow>(`SELECT ${columns} FROM custom_roles WHERE org_id = ? AND name_key = ?`, [orgId, nameKey(name)])

export const insertRole = async (tx: Tx, orgId: string, role: RoleRow): Promise<void> => {
  await tx.run(
    `INSERT INTO custom_roles (org_id, role_id, name, name_key, description, permissions, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[orgId, role.id, role.name, nameKey(role.name), role.description, role.permissions],
      ...[role.createdAt, role.updatedAt],
    ],
  )
}

export const updateRole = async (tx: Tx, orgId: string, role: RoleRow): Promise<void> => {
  await tx.run(
    `UPDATE custom_roles SET name = ?, name_key = ?, description = ?, permissions = ?, updated_at = ?
     WHERE org_id = ? AND role_id = ?`,
    [role.name, nameKey(role.name), role.description, role.permissions, role.updatedAt, orgId, role.id],
  )
}

export const deleteRole = async (tx: Tx, orgId: string, id: string): Promise<void> => {
  await tx.run('DELETE FROM custom_roles WHERE org_id = ? AND role_id = ?', [orgId, id])
}
