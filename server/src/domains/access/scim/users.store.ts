import { padded } from '../../../platform/db/padded-list.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { Columns, Condition } from './filters.store.ts'

/** A member as an identity provider sees them. Times are epoch milliseconds. */
export interface ScimUserRow {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly active: number
  readonly createdAt: number
  /** JSON of what the identity provider said; null where it said nothing yet. */
  readonly attributes: string | null
  readonly updatedAt: number
}

const notRemoved = `NOT EXISTS (SELECT 1 FROM scim_users r
  WHERE r.org_id = m.org_id AND r.membership_id = m.membership_id AND r.removed_at IS NOT NULL)`
const tables = `memberships m JOIN users u ON u.user_id = m.user_id
  LEFT JOIN scim_users s ON s.org_id = m.org_id AND s.membership_id = m.membership_id`
const columns = `m.membership_id AS id, u.email, COALESCE(m.name, u.name) AS name, m.active, m.created_at AS "createdAt",
  s.attributes, COALESCE(s.updated_at, m.created_at) AS "updatedAt"`

/** By an index: who the identity provider calls so, and whom it said nothing of whose address it is. */
const ofUserName =
  (orgId: string) =>
  (value: string): Condition => ({
    sql: `m.membership_id IN (
    SELECT x.membership_id FROM scim_users x WHERE x.org_id = ? AND x.user_name_lower = ?
    UNION ALL SELECT y.membership_id FROM users v JOIN memberships y ON y.user_id = v.user_id AND y.org_id = ?
      WHERE v.email = ? AND NOT EXISTS (SELECT 1 FROM scim_users z WHERE z.org_id = ? AND z.membership_id = y.membership_id))`,
    params: [orgId, value, orgId, value, orgId],
  })
const ofExternalId =
  (orgId: string) =>
  (value: string): Condition => ({
    sql: 'm.membership_id IN (SELECT x.membership_id FROM scim_users x WHERE x.org_id = ? AND x.external_id = ?)',
    params: [orgId, value],
  })

const emails = { kind: 'texts', sql: `COALESCE(s.emails_lower, '\n' || u.email || '\n')` } as const

/** What users are found by. */
export const userColumns = (orgId: string): Columns => ({
  id: { kind: 'text', sql: 'm.membership_id', caseExact: true },
  username: { kind: 'text', sql: 'COALESCE(s.user_name_lower, u.email)', equal: ofUserName(orgId) },
  externalid: { kind: 'text', sql: 's.external_id', caseExact: true, equal: ofExternalId(orgId) },
  displayname: { kind: 'text', sql: 'COALESCE(s.display_lower, lower(COALESCE(m.name, u.name)))' },
  'name.givenname': { kind: 'text', sql: 's.given_lower' },
  'name.familyname': { kind: 'text', sql: 's.family_lower' },
  emails,
  'emails.value': emails,
  active: { kind: 'boolean', sql: 'm.active' },
  'meta.created': { kind: 'time', sql: 'm.created_at' },
  'meta.lastmodified': { kind: 'time', sql: 'COALESCE(s.updated_at, m.created_at)' },
})

const matching = (orgId: string, where: Condition | undefined, hides = true) => ({
  sql: `FROM ${where ? tables : 'memberships m'} WHERE m.org_id = ? ${hides ? `AND ${notRemoved}` : ''}
    ${where ? `AND (${where.sql})` : ''}`,
  params: [orgId, ...(where?.params ?? [])],
})

/** How many there are, and whether the provider has removed anybody: else nobody needs to be looked at for that. */
export interface UserTotal {
  readonly n: number
  readonly removed: number
}

/** With a filter counted, else kept (`membership_counts`). */
export const countUsers = async (reader: Reader, orgId: string, where: Condition | undefined): Promise<UserTotal> => {
  if (where) {
    const { sql, params } = matching(orgId, where)
    return { n: (await reader.get<{ n: number }>(`SELECT count(*) AS n ${sql}`, params))?.n ?? 0, removed: 1 }
  }
  const row = await reader.get<{ members: number; removed: number }>(
    `SELECT (SELECT COALESCE(sum(n), 0) FROM membership_counts WHERE org_id = ?) AS members,
       (SELECT count(*) FROM scim_users r WHERE r.org_id = ? AND r.removed_at IS NOT NULL) AS removed`,
    [orgId, orgId],
  )
  const { members, removed } = row ?? { members: 0, removed: 0 }
  return { n: members - removed, removed }
}

/**
 * In the order in which they became members, so that a page stays what it was. SCIM pages by position alone: what lies before is
 * counted through from whichever end is nearer.
 */
export const pageOfUsers = (
  reader: Reader,
  orgId: string,
  where: Condition | undefined,
  { skip, take, total }: { skip: number; take: number; total?: UserTotal },
): Promise<ScimUserRow[]> => {
  const { sql, params } = matching(orgId, where, total?.removed !== 0)
  const n = total?.n ?? Number.POSITIVE_INFINITY
  const isFar = skip > n / 2
  const [limit, offset] = isFar ? [Math.min(take, n - skip), Math.max(0, n - skip - take)] : [take, skip]
  return reader.all<ScimUserRow>(
    `SELECT ${columns} FROM ${tables} WHERE m.org_id = ? AND m.membership_id IN (
       SELECT p.id FROM (SELECT m.membership_id AS id ${sql} ORDER BY m.membership_id ${isFar ? 'DESC' : ''} LIMIT ? OFFSET ?) AS p)
     ORDER BY m.membership_id`,
    [orgId, ...params, limit, offset],
  )
}

export const findUser = (reader: Reader, orgId: string, id: string): Promise<ScimUserRow | undefined> =>
  reader.get<ScimUserRow>(
    `SELECT ${columns} FROM ${tables} WHERE m.org_id = ? AND m.membership_id = ? AND s.removed_at IS NULL`,
    [orgId, id],
  )

/** Whom an identity provider removed and what their account is called. */
export const wasRemoved = async (reader: Reader, orgId: string, id: string): Promise<boolean> =>
  (await reader.get(
    'SELECT 1 AS one FROM scim_users WHERE org_id = ? AND membership_id = ? AND removed_at IS NOT NULL',
    [orgId, id],
  )) !== undefined

export interface KeptUser {
  readonly userName: string
  readonly externalId: string | null
  readonly displayName: string | null
  readonly givenName: string | null
  readonly familyName: string | null
  readonly emails: readonly string[]
  /** JSON. */
  readonly attributes: string
}

const lower = (text: string | null): string | null => text?.toLowerCase() ?? null

/** Call with the organisation's people locked. */
export const putUser = async (tx: Tx, orgId: string, id: string, user: KeptUser, now: number): Promise<void> => {
  await tx.run(
    `INSERT INTO scim_users (org_id, membership_id, user_name_lower, external_id, display_lower, given_lower, family_lower,
       emails_lower, attributes, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (org_id, membership_id) DO UPDATE SET user_name_lower = excluded.user_name_lower,
       external_id = excluded.external_id, display_lower = excluded.display_lower, given_lower = excluded.given_lower,
       family_lower = excluded.family_lower, emails_lower = excluded.emails_lower, attributes = excluded.attributes,
       updated_at = excluded.updated_at, removed_at = NULL`,
    [
      ...[orgId, id, user.userName.toLowerCase(), user.externalId, lower(user.displayName), lower(user.givenName)],
      ...[lower(user.familyName), user.emails.map((one) => `\n${one.toLowerCase()}\n`).join(''), user.attributes, now],
    ],
  )
}

/** Keeps that they were removed, and nothing that was said of them. */
export const forgetUser = async (tx: Tx, orgId: string, id: string, now: number): Promise<void> => {
  await tx.run(
    `INSERT INTO scim_users (org_id, membership_id, user_name_lower, emails_lower, attributes, updated_at, removed_at)
     VALUES (?, ?, ?, '', '{}', ?, ?)
     ON CONFLICT (org_id, membership_id) DO UPDATE SET user_name_lower = excluded.user_name_lower, external_id = NULL,
       display_lower = NULL, given_lower = NULL, family_lower = NULL, emails_lower = '', attributes = '{}',
       updated_at = excluded.updated_at, removed_at = excluded.removed_at`,
    [orgId, id, id, now, now],
  )
}

/** Of these ids, those who can be seen. */
export const whichUsers = async (reader: Reader, orgId: string, ids: readonly string[]): Promise<Set<string>> => {
  const found = new Set<string>()
  for (let at = 0; at < ids.length; at += 256) {
    const { marks, values } = padded(ids.slice(at, at + 256))
    const rows = await reader.all<{ id: string }>(
      `SELECT m.membership_id AS id FROM memberships m WHERE m.org_id = ? AND m.membership_id IN (${marks})
         AND ${notRemoved}`,
      [orgId, ...values],
    )
    for (const { id } of rows) found.add(id)
  }
  return found
}
