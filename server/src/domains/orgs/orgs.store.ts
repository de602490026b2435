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
