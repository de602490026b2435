import type { Reader, Tx } from '../../../platform/db/types.ts'
import { skeletonOf } from './slugs.model.ts'

export interface OrgRow {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly recipient: string
  readonly wrappedIdentity: string
  readonly createdAt: number
  /** 0 or 1: whether members need a second factor. */
  readonly secondFactorRequired: number
}

const columns = `org_id AS id, name, slug, recipient, wrapped_identity AS "wrappedIdentity", created_at AS "createdAt",
  second_factor_required AS "secondFactorRequired"`

/** An organisation has no environment of its own: its id is the whole scope. */
export const findOrg = (reader: Reader, orgId: string): Promise<OrgRow | undefined> =>
  reader.get<OrgRow>(`SELECT ${columns} FROM orgs WHERE org_id = ?`, [orgId])

export const findOrgLocked = (tx: Tx, orgId: string): Promise<OrgRow | undefined> =>
  tx.get<OrgRow>(`SELECT ${columns} FROM orgs WHERE org_id = ?${tx.forUpdate}`, [orgId])

export const findOrgIdBySlug = async (reader: Reader, slug: string): Promise<string | undefined> =>
  (
    await reader.get<{ orgId: string }>(
      'SELECT s.org_id AS "orgId" FROM org_slugs s JOIN orgs o ON o.org_id = s.org_id WHERE s.skeleton = ? AND o.slug = ?',
      [skeletonOf(slug), slug],
    )
  )?.orgId

/** Whether the slug is this organisation's from now on: no other has it, or one that reads like it. */
export const claimSlug = async (tx: Tx, orgId: string, slug: string): Promise<boolean> => {
  const { changes } = await tx.run(
    'INSERT INTO org_slugs (skeleton, org_id) VALUES (?, ?) ON CONFLICT (skeleton) DO NOTHING',
    [skeletonOf(slug), orgId],
  )
  return changes === 1
}

export const updateSecondFactorRequired = async (tx: Tx, orgId: string, required: boolean): Promise<void> => {
  await tx.run('UPDATE orgs SET second_factor_required = ? WHERE org_id = ?', [Number(required), orgId])
}

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
