import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { DomainRow } from './sso.types.ts'

const select = `SELECT d.domain, d.proof, d.created_at AS "createdAt", v.verified_at AS "verifiedAt",
  v.missing_since AS "missingSince"
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

/** Takes it over from the organisation whose it was: of two at once, one does. */
export const takeVerified = async (
  tx: Tx,
  orgId: string,
  { domain, from, now }: { readonly domain: string; readonly from: string; readonly now: number },
): Promise<boolean> => {
  const { changes } = await tx.run(
    `UPDATE sso_verified_domains SET org_id = ?, verified_at = ?, checked_at = NULL, missing_since = NULL
     WHERE domain = ? AND org_id = ?`,
    [orgId, now, domain, from],
  )
  return changes === 1
}

/** A verified domain whose record is to be looked for. */
export interface VerifiedDomain {
  readonly orgId: string
  readonly domain: string
  readonly proof: string
  readonly missingSince: number | null
}

interface DueDomain extends VerifiedDomain {
  /** When it was looked for last, or proved. */
  readonly lookedAt: number
}

/** Crosses tenants: verified domains that nobody looked at since `before`, at most `limit`, those longest ago first. */
export const listDueDomainsAcrossOrgs = (
  reader: Reader,
  { before, after, limit }: { readonly before: number; readonly after?: DueDomain; readonly limit: number },
): Promise<DueDomain[]> =>
  reader.all<DueDomain>(
    `SELECT v.org_id AS "orgId", v.domain, d.proof, v.missing_since AS "missingSince",
       COALESCE(v.checked_at, v.verified_at) AS "lookedAt"
     FROM sso_verified_domains v JOIN sso_domains d ON d.org_id = v.org_id AND d.domain = v.domain
     WHERE COALESCE(v.checked_at, v.verified_at) <= ? AND (COALESCE(v.checked_at, v.verified_at), v.domain) > (?, ?)
     ORDER BY COALESCE(v.checked_at, v.verified_at), v.domain LIMIT ?`,
    [before, after?.lookedAt ?? 0, after?.domain ?? '', limit],
  )

/** Whether it is still this organisation's. */
export const noteLook = async (
  tx: Tx,
  orgId: string,
  {
    domain,
    now,
    missingSince,
  }: { readonly domain: string; readonly now: number; readonly missingSince: number | null },
): Promise<boolean> => {
  const { changes } = await tx.run(
    'UPDATE sso_verified_domains SET checked_at = ?, missing_since = ? WHERE domain = ? AND org_id = ?',
    [now, missingSince, domain, orgId],
  )
  return changes === 1
}

/** The claim stays, and is not proved any more. False where it was not. */
export const deleteVerified = async (tx: Tx, orgId: string, domain: string): Promise<boolean> =>
  (await tx.run('DELETE FROM sso_verified_domains WHERE org_id = ? AND domain = ?', [orgId, domain])).changes === 1

export const deleteDomain = async (tx: Tx, orgId: string, domain: string): Promise<void> => {
  await tx.run('DELETE FROM sso_verified_domains WHERE org_id = ? AND domain = ?', [orgId, domain])
  await tx.run('DELETE FROM sso_domains WHERE org_id = ? AND domain = ?', [orgId, domain])
}
