import type { Reader, Tx } from '../../platform/db/types.ts'
import type { DomainRow } from './sso.types.ts'

const select = `SELECT d.domain, d.proof, d.created_at AS "createdAt", v.verified_at AS "verifiedAt"
  FROM sso_domains d LEFT JOIN sso_verified_domains v ON v.domain = d.domain AND v.org_id = d.org_id`

/** Domains are of both environments: the organisation's id is the whole scope. */
export const listDomains = (reader: Reader, orgId: string): Promise<DomainRow[]> =>
  reader.all<DomainRow>(`${select} WHERE d.org_id = ? ORDER BY d.created_at, d.domain`, [orgId])

export const findDomain = (reader: Reader, orgId: string, domain: string): Promise<DomainRow | undefined> =>
  reader.get<DomainRow>(`${select} WHERE d.org_id = ? AND d.domain = ?`, [orgId, domain])

/** Crosses tenants: whose verified domain this is. */
export const ownerOfDomainAcrossOrgs = async (reader: Reader, domain: string): Promise<string | undefined> => {
  const sql = 'SELECT org_id AS "orgId" FROM sso_verified_domains WHERE domain = ?'
  return (await reader.get<{ orgId: string }>(sql, [domain]))?.orgId
}

export const insertDomain = async (tx: Tx, orgId: string, row: DomainRow): Promise<void> => {
  await tx.run('INSERT INTO sso_domains (org_id, domain, proof, created_at) VALUES (?, ?, ?, ?)', [
    ...[orgId, row.domain, row.proof, row.createdAt],
  ])
}

/** Whether it is this organisation's now: of two that prove it at once, one has it. */
export const insertVerified = async (tx: Tx, orgId: string, domain: string, now: number): Promise<boolean> => {
  const { changes } = await tx.run(
    'INSERT INTO sso_verified_domains (domain, org_id, verified_at) VALUES (?, ?, ?) ON CONFLICT (domain) DO NOTHING',
    [domain, orgId, now],
  )
  return changes === 1
}

export const deleteDomain = async (tx: Tx, orgId: string, domain: string): Promise<void> => {
  await tx.run('DELETE FROM sso_verified_domains WHERE org_id = ? AND domain = ?', [orgId, domain])
  await tx.run('DELETE FROM sso_domains WHERE org_id = ? AND domain = ?', [orgId, domain])
}
