import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { NamedAuthority, TimeAuthorityRow } from './timestamps.types.ts'

const columns = `org_id AS "orgId", url, policy, certificates, version, asked_size AS "askedSize", asked_at AS "askedAt", problem`

export const findAuthority = (reader: Reader, orgId: string): Promise<TimeAuthorityRow | undefined> =>
  reader.get<TimeAuthorityRow>(`SELECT ${columns} FROM time_authorities WHERE org_id = ?`, [orgId])

/** Crosses tenants: who named an authority, in the order of organisations. */
export const listAuthoritiesOfAllOrgs = (reader: Reader, after: string, limit: number): Promise<TimeAuthorityRow[]> =>
  reader.all<TimeAuthorityRow>(
    `SELECT ${columns} FROM time_authorities WHERE org_id > ? AND url IS NOT NULL ORDER BY org_id LIMIT ?`,
    [after, limit],
  )

/** What was chosen last is asked about the newest checkpoint again. */
export const saveAuthority = async (tx: Tx, orgId: string, named: NamedAuthority | null): Promise<void> => {
  await tx.run(
    `INSERT INTO time_authorities (org_id, url, policy, certificates, version) VALUES (?, ?, ?, ?, 1)
     ON CONFLICT (org_id) DO UPDATE SET url = excluded.url, policy = excluded.policy,
       certificates = excluded.certificates, version = time_authorities.version + 1, asked_size = 0, asked_at = 0, problem = NULL`,
    [orgId, named?.url ?? null, named?.policy ?? null, named?.certificates ?? null],
  )
}

export const markAsked = async (tx: Tx, orgId: string, size: number, at: number): Promise<void> => {
  await tx.run('UPDATE time_authorities SET asked_size = ?, asked_at = ? WHERE org_id = ?', [size, at, orgId])
}

/** Of the authority that was asked, unless another one was named meanwhile. */
export const markProblem = async (
  tx: Tx,
  { orgId, url }: { readonly orgId: string; readonly url: string },
  problem: string | null,
): Promise<void> => {
  await tx.run('UPDATE time_authorities SET problem = ? WHERE org_id = ? AND url = ?', [problem, orgId, url])
}
