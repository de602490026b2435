import type { Reader } from '../../../platform/db/types.ts'
import type { SsoDemand } from './people.types.ts'

const demanding = `sso_connections c JOIN sso_verified_domains d ON d.org_id = c.org_id JOIN orgs o ON o.org_id = c.org_id`
const columns = `c.org_id AS "orgId", o.slug AS "orgSlug", c.kind`

/** Crosses tenants, within one person's: of which domain an organisation is its only one, so there is one at most. */
export const findSsoDemandAcrossOrgs = (
  reader: Reader,
  userId: string,
  domain: string,
): Promise<SsoDemand | undefined> =>
  reader.get<SsoDemand>(
    `SELECT ${columns}, m.role FROM ${demanding}
     JOIN memberships m ON m.org_id = c.org_id AND m.user_id = ? AND m.active = 1
     WHERE d.domain = ? AND c.required = 1`,
    [userId, domain],
  )

/** Whether this organisation requires it of the addresses of a domain. */
export const findSsoDemandOfOrg = (reader: Reader, orgId: string, domain: string) =>
  reader.get<Omit<SsoDemand, 'role'>>(
    `SELECT ${columns} FROM ${demanding} WHERE c.org_id = ? AND d.domain = ? AND c.required = 1`,
    [orgId, domain],
  )

/** Whether a domain is this organisation's to vouch for. */
export const ownsDomain = async (reader: Reader, orgId: string, domain: string): Promise<boolean> =>
  (await reader.get('SELECT 1 AS one FROM sso_verified_domains WHERE org_id = ? AND domain = ?', [orgId, domain])) !==
  undefined

export const isSsoRequired = async (reader: Reader, orgId: string): Promise<boolean> =>
  (await reader.get('SELECT 1 AS one FROM sso_connections WHERE org_id = ? AND required = 1', [orgId])) !== undefined
