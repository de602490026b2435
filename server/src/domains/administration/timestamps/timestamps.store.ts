import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { NamedAuthority, TimeAuthorityRow, TimestampRow } from './timestamps.types.ts'

const columns = `org_id AS "orgId", url, policy, certificates, asked_size AS "askedSize", asked_at AS "askedAt", problem`

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
    `INSERT INTO time_authorities (org_id, url, policy, certificates) VALUES (?, ?, ?, ?)
     ON CONFLICT (org_id) DO UPDATE SET url = excluded.url, policy = excluded.policy,
       certificates = excluded.certificates, asked_size = 0, asked_at = 0, problem = NULL`,
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

const ofTimestamp = 'size, stamped_at AS "stampedAt", authority, token'

/** Kept for good, one for each checkpoint: the first one is the earliest time. */
export const insertTimestamp = async (tx: Tx, orgId: string, row: TimestampRow): Promise<void> => {
  await tx.run(
    `INSERT INTO audit_timestamps (org_id, size, stamped_at, authority, token) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (org_id, size) DO NOTHING`,
    [orgId, row.size, row.stampedAt, row.authority, row.token],
  )
}

export const findTimestamp = (reader: Reader, orgId: string, size: number): Promise<TimestampRow | undefined> =>
  reader.get<TimestampRow>(`SELECT ${ofTimestamp} FROM audit_timestamps WHERE org_id = ? AND size = ?`, [orgId, size])

/** The newest one of a checkpoint with no more rows than these. */
export const newestTimestamp = (reader: Reader, orgId: string, upTo: number): Promise<TimestampRow | undefined> =>
  reader.get<TimestampRow>(
    `SELECT ${ofTimestamp} FROM audit_timestamps WHERE org_id = ? AND size <= ? ORDER BY size DESC LIMIT 1`,
    [orgId, upTo],
  )

/** Smallest first, behind one of this size. */
export const listTimestamps = (
  reader: Reader,
  orgId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<TimestampRow[]> =>
  reader.all<TimestampRow>(
    `SELECT ${ofTimestamp} FROM audit_timestamps WHERE org_id = ? AND size > ? ORDER BY size LIMIT ?`,
    [orgId, after, limit],
  )
