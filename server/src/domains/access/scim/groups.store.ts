import { padded } from '../../../platform/db/padded-list.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { Columns, Condition } from './filters.store.ts'

/** A group that an identity provider made. Times are epoch milliseconds. */
export interface ScimGroupRow {
  readonly id: string
  readonly displayName: string
  readonly externalId: string | null
  readonly createdAt: number
  readonly updatedAt: number
}
export interface GroupMemberRow {
  readonly groupId: string
  readonly id: string
  /** How the member is called, or the group, whichever is asked for. */
  readonly display: string | null
}

const columns = `g.group_id AS id, g.display_name AS "displayName", g.external_id AS "externalId",
  g.created_at AS "createdAt", g.updated_at AS "updatedAt"`
const ofGroup = `scim_group_members x WHERE x.org_id = g.org_id AND x.group_id = g.group_id`
const members = {
  kind: 'ids',
  equal: (value: string): Condition => ({
    sql: `EXISTS (SELECT 1 FROM ${ofGroup} AND x.membership_id = ?)`,
    params: [value],
  }),
  any: `EXISTS (SELECT 1 FROM ${ofGroup})`,
} as const

/** What groups are found by. */
export const groupColumns: Columns = {
  id: { kind: 'text', sql: 'g.group_id', caseExact: true },
  displayname: { kind: 'text', sql: 'g.display_lower' },
  externalid: { kind: 'text', sql: 'g.external_id', caseExact: true },
  members,
  'members.value': members,
  'meta.created': { kind: 'time', sql: 'g.created_at' },
  'meta.lastmodified': { kind: 'time', sql: 'g.updated_at' },
}

const matching = (orgId: string, where: Condition | undefined) => ({
  sql: `FROM scim_groups g WHERE g.org_id = ? ${where ? `AND (${where.sql})` : ''}`,
  params: [orgId, ...(where?.params ?? [])],
})

export const pageOfGroups = (
  reader: Reader,
  orgId: string,
  where: Condition | undefined,
  { skip, take }: { skip: number; take: number },
): Promise<ScimGroupRow[]> => {
  const { sql, params } = matching(orgId, where)
  return reader.all<ScimGroupRow>(`SELECT ${columns} ${sql} ORDER BY g.group_id LIMIT ? OFFSET ?`, [
    ...params,
    take,
    skip,
  ])
}

/** An organisation has few groups. */
export const countGroups = async (reader: Reader, orgId: string, where?: Condition): Promise<number> => {
  const { sql, params } = matching(orgId, where)
  return (await reader.get<{ n: number }>(`SELECT count(*) AS n ${sql}`, params))?.n ?? 0
}

export const findGroup = (reader: Reader, orgId: string, id: string): Promise<ScimGroupRow | undefined> =>
  reader.get<ScimGroupRow>(`SELECT ${columns} FROM scim_groups g WHERE g.org_id = ? AND g.group_id = ?`, [orgId, id])

export const findGroupByName = (reader: Reader, orgId: string, name: string): Promise<{ id: string } | undefined> =>
  reader.get('SELECT group_id AS id FROM scim_groups WHERE org_id = ? AND display_lower = ?', [
    orgId,
    name.toLowerCase(),
  ])

/** The members of several groups. */
export const membersOfGroups = (reader: Reader, orgId: string, ids: readonly string[]): Promise<GroupMemberRow[]> => {
  const { marks, values } = padded(ids)
  return reader.all<GroupMemberRow>(
    `SELECT x.group_id AS "groupId", x.membership_id AS id, COALESCE(m.name, u.name, u.email) AS display
     FROM scim_group_members x JOIN memberships m ON m.org_id = x.org_id AND m.membership_id = x.membership_id
       JOIN users u ON u.user_id = m.user_id
     WHERE x.org_id = ? AND x.group_id IN (${marks}) ORDER BY x.group_id, x.membership_id`,
    [orgId, ...values],
  )
}

/** The groups of several members at once. */
export const groupsOfUsers = (
  reader: Reader,
  orgId: string,
  ids: readonly string[],
): Promise<(GroupMemberRow & { readonly display: string })[]> => {
  const { marks, values } = padded(ids)
  return reader.all(
    `SELECT x.group_id AS "groupId", x.membership_id AS id, g.display_name AS display
     FROM scim_group_members x JOIN scim_groups g ON g.org_id = x.org_id AND g.group_id = x.group_id
     WHERE x.org_id = ? AND x.membership_id IN (${marks}) ORDER BY x.membership_id, x.group_id`,
    [orgId, ...values],
  )
}

interface KeptGroup {
  readonly id: string
  readonly displayName: string
  readonly externalId: string | null
  readonly now: number
}

/** Call with the organisation's people locked. */
export const putGroup = async (
  tx: Tx,
  orgId: string,
  { id, displayName, externalId, now }: KeptGroup,
): Promise<void> => {
  await tx.run(
    `INSERT INTO scim_groups (org_id, group_id, display_name, display_lower, external_id, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (org_id, group_id) DO UPDATE SET display_name = excluded.display_name,
       display_lower = excluded.display_lower, external_id = excluded.external_id, updated_at = excluded.updated_at`,
    [orgId, id, displayName, displayName.toLowerCase(), externalId, now, now],
  )
}

export const addGroupMembers = async (
  tx: Tx,
  orgId: string,
  groupId: string,
  ids: readonly string[],
): Promise<void> => {
  await tx.insertMany(
    'scim_group_members',
    [
      { name: 'org_id', type: 'text' },
      { name: 'group_id', type: 'text' },
      { name: 'membership_id', type: 'text' },
    ],
    ids.map((id) => [orgId, groupId, id]),
    { skipConflictsOn: ['org_id', 'group_id', 'membership_id'] },
  )
}

export const removeGroupMembers = async (
  tx: Tx,
  orgId: string,
  groupId: string,
  ids: readonly string[],
): Promise<void> => {
  for (let at = 0; at < ids.length; at += 256) {
    const { marks, values } = padded(ids.slice(at, at + 256))
    await tx.run(`DELETE FROM scim_group_members WHERE org_id = ? AND group_id = ? AND membership_id IN (${marks})`, [
      orgId,
      groupId,
      ...values,
    ])
  }
}

/** Takes somebody out of every group, which is a change of each. */
export const leaveGroups = async (tx: Tx, orgId: string, membershipId: string, now: number): Promise<void> => {
  await tx.run(
    `UPDATE scim_groups SET updated_at = CASE WHEN updated_at >= ? THEN updated_at + 1 ELSE ? END
     WHERE org_id = ? AND group_id IN (SELECT group_id FROM scim_group_members WHERE org_id = ? AND membership_id = ?)`,
    [now, now, orgId, orgId, membershipId],
  )
  await tx.run('DELETE FROM scim_group_members WHERE org_id = ? AND membership_id = ?', [orgId, membershipId])
}

export const deleteGroup = async (tx: Tx, orgId: string, id: string): Promise<void> => {
  await tx.run('DELETE FROM scim_group_members WHERE org_id = ? AND group_id = ?', [orgId, id])
  await tx.run('DELETE FROM scim_groups WHERE org_id = ? AND group_id = ?', [orgId, id])
}
