import type { Environment } from '../../kernel/scope.ts'
import type { Reader } from '../../platform/db/types.ts'

export interface LoginRow {
  readonly id: string
  readonly email: string
  /** Null for a person who has no password. */
  readonly passwordHash: string | null
}

/** People stand outside organisations; `email` is normalised. */
export const findLogin = (reader: Reader, email: string): Promise<LoginRow | undefined> =>
  reader.get<LoginRow>('SELECT user_id AS id, email, password_hash AS "passwordHash" FROM users WHERE email = ?', [
    email,
  ])

export interface Person {
  readonly id: string
  readonly email: string
  readonly name: string | null
}

export const findPerson = (reader: Reader, userId: string): Promise<Person | undefined> =>
  reader.get<Person>('SELECT user_id AS id, email, name FROM users WHERE user_id = ?', [userId])

export interface MembershipRow {
  readonly id: string
  readonly role: string
  readonly orgId: string
  readonly orgName: string
  readonly orgSlug: string
}

/** Crosses tenants: the organisations a person is an active member of, in the order of their ids. */
export const listMembershipsAcrossOrgs = (reader: Reader, userId: string): Promise<MembershipRow[]> =>
  reader.all<MembershipRow>(
    `SELECT m.membership_id AS id, m.role, o.org_id AS "orgId", o.name AS "orgName", o.slug AS "orgSlug"
     FROM memberships m JOIN orgs o ON o.org_id = m.org_id
     WHERE m.user_id = ? AND m.active = 1 ORDER BY o.org_id`,
    [userId],
  )

/** Where a person acts and as what. */
export interface Standing {
  readonly orgId: string
  readonly environment: Environment
  readonly role: string
}

export const findStandingInOrg = async (
  reader: Reader,
  userId: string,
  orgId: string,
): Promise<Standing | undefined> => {
  const row = await reader.get<{ role: string }>(
    'SELECT role FROM memberships WHERE org_id = ? AND user_id = ? AND active = 1',
    [orgId, userId],
  )
  return row && { orgId, environment: 'live', role: row.role }
}

/** Crosses tenants and environments, within the organisations of one person: whose is this session? */
export const findStandingBySessionAcrossOrgs = (
  reader: Reader,
  userId: string,
  sessionId: string,
): Promise<Standing | undefined> =>
  reader.get<Standing>(
    `SELECT m.org_id AS "orgId", s.environment, m.role
     FROM memberships m JOIN sessions s ON s.org_id = m.org_id AND s.session_id = ?
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
    `SELECT m.org_id AS "orgId", e.environment, m.role
     FROM memberships m JOIN evidence e ON e.org_id = m.org_id AND e.evidence_id = ?
     WHERE m.user_id = ? AND m.active = 1`,
    [evidenceId, userId],
  )
