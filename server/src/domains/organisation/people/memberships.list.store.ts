import { type BuiltInRole, builtInRoles } from '@integrity/protocol'
import type { Stretch } from '../../../kernel/paging.ts'
import { merged, type Slice } from '../../../platform/db/merged.ts'
import type { Param, Reader } from '../../../platform/db/types.ts'
import { memberColumns, memberTables } from './memberships.store.ts'
import type { MemberRow, OwnOrgRow } from './people.types.ts'

export interface MemberFilters {
  readonly role?: BuiltInRole | undefined
  readonly active?: boolean | undefined
  /** Beginnings of words that all must be found; undefined where nothing is looked for. */
  readonly words?: readonly string[] | undefined
}

const rolesOf = ({ role }: MemberFilters): readonly BuiltInRole[] => (role === undefined ? builtInRoles : [role])
const activesOf = ({ active }: MemberFilters): readonly number[] => (active === undefined ? [1, 0] : [Number(active)])

const order = 'created_at DESC, membership_id DESC'

const slicesOf = (orgId: string, filters: MemberFilters, after: Stretch['after']): Slice[] =>
  rolesOf(filters).flatMap((role) =>
    activesOf(filters).map((active) => ({
      sql: `SELECT created_at, membership_id FROM memberships WHERE org_id = ? AND role = ? AND active = ?
        ${after ? 'AND (created_at, membership_id) < (?, ?)' : ''}`,
      params: [orgId, role, active, ...(after ?? [])],
    })),
  )

/** Whoever has a word that begins so. The last code point is above whatever follows. */
const withWord = (orgId: string, word: string): Slice => ({
  sql: 'SELECT DISTINCT membership_id AS hit FROM member_words WHERE org_id = ? AND word >= ? AND word < ?',
  params: [orgId, word, `${word}\u{10ffff}`],
})

/** Costs what the words match, which is gone through for the order. */
const found = (orgId: string, filters: MemberFilters, words: readonly string[]): Slice => {
  const slices = words.map((word) => withWord(orgId, word))
  const marks = (values: readonly Param[]) => values.map(() => '?').join(', ')
  const [roles, actives] = [rolesOf(filters), activesOf(filters)]
  return {
    sql: `SELECT f.created_at, f.membership_id FROM (${slices.map(({ sql }) => sql).join(' INTERSECT ')}) AS hits
      CROSS JOIN memberships f WHERE f.org_id = ? AND f.membership_id = hits.hit
      AND f.role IN (${marks(roles)}) AND f.active IN (${marks(actives)})`,
    params: [...slices.flatMap(({ params }) => params), orgId, ...roles, ...actives],
  }
}

/** Newest first. */
export const pageOfMembers = async (
  reader: Reader,
  orgId: string,
  filters: MemberFilters,
  { after, skip, take }: Stretch,
): Promise<MemberRow[]> => {
  const { words } = filters
  if (words?.length === 0) return []
  const looked = words && found(orgId, filters, words)
  const behind = looked && after ? 'AND (f.created_at, f.membership_id) < (?, ?)' : ''
  const slices = looked
    ? [{ sql: `${looked.sql} ${behind}`, params: [...looked.params, ...(after ?? [])] }]
    : slicesOf(orgId, filters, after)
  const { sql, params } = merged(slices, order, { skip, take })
  return reader.all<MemberRow>(
    `SELECT ${memberColumns} FROM ${memberTables}
     WHERE m.org_id = ? AND m.membership_id IN (SELECT membership_id FROM (${sql}) AS places)
     ORDER BY m.created_at DESC, m.membership_id DESC`,
    [orgId, ...params],
  )
}

/** Kept counts, but for what is looked for by words. */
export const countMembers = async (reader: Reader, orgId: string, filters: MemberFilters): Promise<number> => {
  const { words } = filters
  if (words?.length === 0) return 0
  const roles = rolesOf(filters)
  const actives = activesOf(filters)
  const kept: Slice = {
    sql: `SELECT sum(n) AS n FROM membership_counts WHERE org_id = ? AND role IN (${roles.map(() => '?').join(', ')})
      AND active IN (${actives.map(() => '?').join(', ')})`,
    params: [orgId, ...roles, ...actives],
  }
  const looked = words && found(orgId, filters, words)
  const { sql, params } = looked
    ? { sql: `SELECT count(*) AS n FROM (${looked.sql}) AS matches`, params: looked.params }
    : kept
  return (await reader.get<{ n: number | null }>(sql, params))?.n ?? 0
}

/** Who holds each custom role, deactivated ones included. */
export const countHolders = async (reader: Reader, orgId: string): Promise<ReadonlyMap<string, number>> => {
  const rows = await reader.all<{ roleId: string; n: number }>(
    `SELECT custom_role_id AS "roleId", sum(n) AS n FROM membership_counts
     WHERE org_id = ? AND custom_role_id <> '' GROUP BY custom_role_id`,
    [orgId],
  )
  return new Map(rows.map(({ roleId, n }) => [roleId, n]))
}

export interface StandingCount {
  readonly role: BuiltInRole
  /** Null: they have no custom role. */
  readonly customRoleId: string | null
  readonly members: number
}

/** The number of active members by built-in and custom role. */
export const countStandings = (reader: Reader, orgId: string): Promise<StandingCount[]> =>
  reader.all<StandingCount>(
    `SELECT role, NULLIF(custom_role_id, '') AS "customRoleId", n AS members FROM membership_counts
     WHERE org_id = ? AND active = 1 AND n > 0`,
    [orgId],
  )

/** Memberships are never deleted, and few. */
export const findSecondMemberAt = async (reader: Reader, orgId: string): Promise<number | null> => {
  const sql =
    'SELECT created_at AS at FROM memberships WHERE org_id = ? ORDER BY created_at, membership_id LIMIT 1 OFFSET 1'
  return (await reader.get<{ at: number }>(sql, [orgId]))?.at ?? null
}

/** Crosses tenants, within one person's: the organisations they are an active member of, in the order of their ids. */
export const pageOfOwnOrgsAcrossOrgs = (
  reader: Reader,
  { userId, onlyIn }: { readonly userId: string; readonly onlyIn: string | null },
  { after, skip, take }: Stretch,
): Promise<OwnOrgRow[]> =>
  reader.all<OwnOrgRow>(
    `SELECT o.org_id AS "orgId", o.name, o.slug, o.created_at AS "createdAt", m.membership_id AS "membershipId", m.role,
       m.custom_role_id AS "customRoleId", r.permissions AS "customPermissions", r.name AS "customRoleName"
     FROM memberships m JOIN orgs o ON o.org_id = m.org_id
       LEFT JOIN custom_roles r ON r.org_id = m.org_id AND r.role_id = m.custom_role_id
     WHERE m.user_id = ? AND m.active = 1 ${onlyIn === null ? '' : 'AND m.org_id = ?'} ${after ? 'AND m.org_id > ?' : ''}
     ORDER BY m.org_id LIMIT ? OFFSET ?`,
    [userId, ...(onlyIn === null ? [] : [onlyIn]), ...(after ?? []), take, skip],
  )

/** Crosses tenants, within one person's: in how many organisations they are active, and which of them they own. */
export const countOwnOrgsAcrossOrgs = async (
  reader: Reader,
  userId: string,
): Promise<{ readonly active: number; readonly owned: number }> =>
  (await reader.get<{ active: number; owned: number }>(
    `SELECT count(*) AS active, count(CASE WHEN role = 'owner' THEN 1 END) AS owned
     FROM memberships WHERE user_id = ? AND active = 1`,
    [userId],
  )) ?? { active: 0, owned: 0 }
