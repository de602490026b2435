import type { BuiltInRole } from '@integrity/protocol'
import { padded } from '../../../platform/db/padded-list.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { HeldRole, MemberRow, MembershipRow, Person, Standing } from './people.types.ts'
import { wordsOf } from './words.model.ts'

/** Crosses tenants: the organisations a person is an active member of, in the order of their ids. */
export const listMembershipsAcrossOrgs = (reader: Reader, userId: string): Promise<MembershipRow[]> =>
  reader.all<MembershipRow>(
    `SELECT m.membership_id AS id, m.role, o.org_id AS "orgId", o.name AS "orgName", o.slug AS "orgSlug"
     FROM memberships m JOIN orgs o ON o.org_id = m.org_id
     WHERE m.user_id = ? AND m.active = 1 ORDER BY o.org_id`,
    [userId],
  )

const held = 'm.role, m.custom_role_id AS "customRoleId", r.permissions AS "customPermissions"'
const lacking = `CASE WHEN o.second_factor_required = 1 AND u.second_factor = 0 THEN 1 ELSE 0 END AS "lacksSecondFactor",
  CASE WHEN EXISTS (SELECT 1 FROM sso_connections c WHERE c.org_id = m.org_id AND c.required = 1) THEN 1 ELSE 0 END AS "requiresSso"`
const standingTables = 'JOIN orgs o ON o.org_id = m.org_id JOIN users u ON u.user_id = m.user_id'
const customRole = 'LEFT JOIN custom_roles r ON r.org_id = m.org_id AND r.role_id = m.custom_role_id'

export const findStandingInOrg = async (
  reader: Reader,
  userId: string,
  orgId: string,
): Promise<Standing | undefined> => {
  const row = await reader.get<Omit<Standing, 'orgId' | 'environment'>>(
    `SELECT ${held}, ${lacking} FROM memberships m ${standingTables} ${customRole} WHERE m.org_id = ? AND m.user_id = ? AND m.active = 1`,
    [orgId, userId],
  )
  return row && { ...row, orgId, environment: 'live' }
}

/** Crosses tenants and environments, within the organisations of one person: whose is this session? */
export const findStandingBySessionAcrossOrgs = (
  reader: Reader,
  userId: string,
  sessionId: string,
): Promise<Standing | undefined> =>
  reader.get<Standing>(
    `SELECT m.org_id AS "orgId", s.environment, ${held}, ${lacking}
     FROM memberships m JOIN sessions s ON s.org_id = m.org_id AND s.session_id = ? ${standingTables} ${customRole}
     WHERE m.user_id = ? AND m.active = 1`,
    [sessionId, userId],
  )

/** Crosses tenants and environments, within the organisations of one person: whose is this evidence object? */
export const findStandingByEvidenceAcrossOrgs = (
  reader: Reader,
  userId: string,
  evidenceId: string,
): Promise<Standing | undefined> =>
  reader.get<Standing>(
    `SELECT m.org_id AS "orgId", e.environment, ${held}, ${lacking}
     FROM memberships m JOIN evidence e ON e.org_id = m.org_id AND e.evidence_id = ? ${standingTables} ${customRole}
     WHERE m.user_id = ? AND m.active = 1`,
    [evidenceId, userId],
  )

/** Crosses tenants, within one person's. */
export const isSecondFactorRequiredAcrossOrgs = async (reader: Reader, userId: string): Promise<boolean> =>
  (await reader.get(
    `SELECT 1 AS one FROM memberships m JOIN orgs o ON o.org_id = m.org_id
     WHERE m.user_id = ? AND m.active = 1 AND o.second_factor_required = 1 LIMIT 1`,
    [userId],
  )) !== undefined

export const memberColumns = `m.membership_id AS id, m.user_id AS "userId", u.email, COALESCE(m.name, u.name) AS name, ${held},
  r.name AS "customRoleName", m.active, m.last_seen_at AS "lastSeenAt", m.deactivated_at AS "deactivatedAt",
  m.created_at AS "createdAt"`
export const memberTables = `memberships m JOIN users u ON u.user_id = m.user_id ${customRole}`

export const findMember = (reader: Reader, orgId: string, id: string): Promise<MemberRow | undefined> =>
  reader.get<MemberRow>(`SELECT ${memberColumns} FROM ${memberTables} WHERE m.org_id = ? AND m.membership_id = ?`, [
    orgId,
    id,
  ])

export const findMemberByUser = (reader: Reader, orgId: string, userId: string): Promise<MemberRow | undefined> =>
  reader.get<MemberRow>(`SELECT ${memberColumns} FROM ${memberTables} WHERE m.org_id = ? AND m.user_id = ?`, [
    orgId,
    userId,
  ])

/** By the account's normalised address. */
export const findMemberByEmail = (reader: Reader, orgId: string, email: string): Promise<MemberRow | undefined> =>
  reader.get<MemberRow>(`SELECT ${memberColumns} FROM ${memberTables} WHERE m.org_id = ? AND u.email = ?`, [
    orgId,
    email,
  ])

interface Counted {
  readonly role: string
  readonly active: number
  readonly customRoleId: string | null
}

const addToCount = async (tx: Tx, orgId: string, { role, active, customRoleId }: Counted, n: number): Promise<void> => {
  await tx.run(
    `INSERT INTO membership_counts (org_id, role, active, custom_role_id, n) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (org_id, role, active, custom_role_id) DO UPDATE SET n = membership_counts.n + excluded.n`,
    [orgId, role, active, customRoleId ?? '', n],
  )
}

export interface NewMembership {
  readonly id: string
  readonly userId: string
  readonly role: BuiltInRole
  readonly customRoleId?: string | null | undefined
  /** How this organisation calls the person, where that is not how they call themselves. */
  readonly name?: string | null | undefined
  readonly now: number
}

/** Of a person who is there already. Call with the organisation's people locked. */
export const insertMembership = async (tx: Tx, orgId: string, membership: NewMembership): Promise<void> => {
  const { id, userId, role, customRoleId = null, name = null, now } = membership
  await tx.run(
    `INSERT INTO memberships (org_id, membership_id, user_id, role, custom_role_id, name, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [orgId, id, userId, role, customRoleId, name, now],
  )
  await addToCount(tx, orgId, { role, active: 1, customRoleId }, 1)
  const person = await tx.get<{ email: string; name: string | null }>(
    'SELECT email, name FROM users WHERE user_id = ?',
    [userId],
  )
  await insertWords(tx, { orgId, id }, wordsOf(person?.email ?? '', name ?? person?.name ?? null))
}

const insertWords = async (
  tx: Tx,
  { orgId, id }: { readonly orgId: string; readonly id: string },
  words: readonly string[],
): Promise<void> => {
  await tx.insertMany(
    'member_words',
    [
      { name: 'org_id', type: 'text' },
      { name: 'word', type: 'text' },
      { name: 'membership_id', type: 'text' },
    ],
    words.map((word) => [orgId, word, id]),
  )
}

/** Crosses tenants, within one person's: what they are found by, wherever no directory gave them a name of its own. */
export const replaceWordsAcrossOrgs = async (tx: Tx, before: Person, name: string): Promise<void> => {
  const memberships = await tx.all<{ orgId: string; id: string }>(
    'SELECT org_id AS "orgId", membership_id AS id FROM memberships WHERE user_id = ? AND name IS NULL ORDER BY org_id',
    [before.id],
  )
  const { marks, values } = padded(wordsOf(before.email, before.name))
  for (const membership of memberships) {
    const { orgId, id } = membership
    await tx.run(`DELETE FROM member_words WHERE org_id = ? AND membership_id = ? AND word IN (${marks})`, [
      ...[orgId, id],
      ...values,
    ])
    await insertWords(tx, membership, wordsOf(before.email, name))
  }
}

/** Call with the organisation's people locked since `before` was read. */
export const updateMembership = async (tx: Tx, orgId: string, before: MemberRow, after: MemberRow): Promise<void> => {
  await tx.run(
    `UPDATE memberships SET role = ?, custom_role_id = ?, active = ?, deactivated_at = ?
     WHERE org_id = ? AND membership_id = ?`,
    [after.role, after.customRoleId, after.active, after.deactivatedAt, orgId, before.id],
  )
  await addToCount(tx, orgId, before, -1)
  await addToCount(tx, orgId, after, 1)
}

export const markSeen = async (
  tx: Tx,
  { orgId, userId, now }: { orgId: string; userId: string; now: number },
): Promise<void> => {
  await tx.run('UPDATE memberships SET last_seen_at = ? WHERE org_id = ? AND user_id = ?', [now, orgId, userId])
}

/** Returns all holders of a custom role to their built-in one. Call with the organisation's people locked. */
export const clearCustomRole = async (tx: Tx, orgId: string, roleId: string): Promise<void> => {
  await tx.run('UPDATE memberships SET custom_role_id = NULL WHERE org_id = ? AND custom_role_id = ?', [orgId, roleId])
  await tx.run(
    `INSERT INTO membership_counts (org_id, role, active, custom_role_id, n)
     SELECT org_id, role, active, '', n FROM membership_counts WHERE org_id = ? AND custom_role_id = ?
     ON CONFLICT (org_id, role, active, custom_role_id) DO UPDATE SET n = membership_counts.n + excluded.n`,
    [orgId, roleId],
  )
  await tx.run('DELETE FROM membership_counts WHERE org_id = ? AND custom_role_id = ?', [orgId, roleId])
}

export const otherActiveOwnerExists = async (tx: Tx, orgId: string, id: string): Promise<boolean> =>
  (await tx.get(
    `SELECT 1 AS one FROM memberships WHERE org_id = ? AND role = 'owner' AND active = 1 AND membership_id <> ? LIMIT 1`,
    [orgId, id],
  )) !== undefined

/** Members who hold a custom role, deactivated ones included. */
export const listHolders = (reader: Reader, orgId: string, roleId: string): Promise<MemberRow[]> =>
  reader.all<MemberRow>(
    `SELECT ${memberColumns} FROM ${memberTables} WHERE m.org_id = ? AND m.custom_role_id = ? ORDER BY m.membership_id`,
    [orgId, roleId],
  )

/** Active members who hold a custom role, or one of these built-in ones. */
export const listActiveHolders = (
  reader: Reader,
  orgId: string,
  roles: readonly BuiltInRole[],
): Promise<(HeldRole & Pick<MemberRow, 'id' | 'email' | 'name'> & { readonly locale: string | null })[]> =>
  reader.all(
    `SELECT m.membership_id AS id, u.email, u.locale, COALESCE(m.name, u.name) AS name, ${held}
     FROM ${memberTables} WHERE m.org_id = ? AND m.active = 1
       AND (m.custom_role_id IS NOT NULL OR m.role IN (${roles.map(() => '?').join(', ')})) ORDER BY u.email`,
    [orgId, ...roles],
  )

/** Name and address of an active member; undefined for anybody else. */
export const findMemberIdentity = (
  reader: Reader,
  orgId: string,
  userId: string,
): Promise<{ readonly email: string; readonly name: string | null } | undefined> =>
  reader.get(
    `SELECT u.email, u.name FROM memberships m JOIN users u ON u.user_id = m.user_id
     WHERE m.org_id = ? AND m.user_id = ? AND m.active = 1`,
    [orgId, userId],
  )

/** The same of a member who is not active any more, too. */
export const findIdentityOfAny = (
  reader: Reader,
  orgId: string,
  userId: string,
): Promise<{ readonly email: string; readonly name: string | null } | undefined> =>
  reader.get(
    `SELECT u.email, u.name FROM memberships m JOIN users u ON u.user_id = m.user_id WHERE m.org_id = ? AND m.user_id = ?`,
    [orgId, userId],
  )
