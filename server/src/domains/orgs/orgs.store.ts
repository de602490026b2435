import type { Reader, Tx } from '../../platform/db/types.ts'

export interface OrgRow {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly recipient: string
  readonly wrappedIdentity: string
  readonly createdAt: number
}

/** An organisation has no environment of its own: its id is the whole scope. */
export const findOrg = (reader: Reader, orgId: string): Promise<OrgRow | undefined> =>
  reader.get<OrgRow>(
    `SELECT org_id AS id, name, slug, recipient, wrapped_identity AS "wrappedIdentity", created_at AS "createdAt"
     FROM orgs WHERE org_id = ?`,
    [orgId],
  )

export const slugTaken = async (tx: Tx, slug: string): Promise<boolean> =>
  (await tx.get('SELECT 1 AS one FROM orgs WHERE slug = ?', [slug])) !== undefined

export const insertOrg = async (tx: Tx, org: OrgRow): Promise<void> => {
  await tx.run(
    'INSERT INTO orgs (org_id, name, slug, recipient, wrapped_identity, created_at) VALUES (?, ?, ?, ?, ?, ?)',
    [org.id, org.name, org.slug, org.recipient, org.wrappedIdentity, org.createdAt],
  )
  await tx.run('INSERT INTO org_heads (org_id) VALUES (?)', [org.id])
}

/** Operator's look at the whole server: is there any organisation yet? */
export const anyOrgExists = async (reader: Reader): Promise<boolean> =>
  (await reader.get('SELECT 1 AS one FROM orgs LIMIT 1')) !== undefined

export const findUserByEmail = (reader: Reader, email: string): Promise<{ id: string } | undefined> =>
  reader.get<{ id: string }>('SELECT user_id AS id FROM users WHERE email = ?', [email])

export const insertUser = async (
  tx: Tx,
  user: { id: string; email: string; passwordHash: string; now: number },
): Promise<void> => {
  await tx.run('INSERT INTO users (user_id, email, password_hash, created_at) VALUES (?, ?, ?, ?)', [
    user.id,
    user.email,
    user.passwordHash,
    user.now,
  ])
}

export const insertMembership = async (
  tx: Tx,
  orgId: string,
  membership: { id: string; userId: string; role: string; now: number },
): Promise<void> => {
  await tx.run('INSERT INTO memberships (org_id, membership_id, user_id, role, created_at) VALUES (?, ?, ?, ?, ?)', [
    orgId,
    membership.id,
    membership.userId,
    membership.role,
    membership.now,
  ])
}

/** Addresses of an organisation's active owners and admins. */
export const listAdminAddresses = async (reader: Reader, orgId: string): Promise<string[]> => {
  const rows = await reader.all<{ email: string }>(
    `SELECT u.email FROM memberships m JOIN users u ON u.user_id = m.user_id
     WHERE m.org_id = ? AND m.active = 1 AND m.role IN ('owner', 'admin') ORDER BY u.email`,
    [orgId],
  )
  return rows.map((row) => row.email)
}

/** The address of an active member; undefined for anybody else. */
export const findMemberAddress = async (reader: Reader, orgId: string, userId: string): Promise<string | undefined> => {
  const row = await reader.get<{ email: string }>(
    `SELECT u.email FROM memberships m JOIN users u ON u.user_id = m.user_id
     WHERE m.org_id = ? AND m.user_id = ? AND m.active = 1`,
    [orgId, userId],
  )
  return row?.email
}
