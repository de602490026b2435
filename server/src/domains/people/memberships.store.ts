import type { Reader, Tx } from '../../platform/db/types.ts'
import type { MembershipRow, Standing } from './people.types.ts'

/** Crosses tenants: the organisations a person is an active member of, in the order of their ids. */
export const listMembershipsAcrossOrgs = (reader: Reader, userId: string): Promise<MembershipRow[]> =>
  reader.all<MembershipRow>(
    `SELECT m.membership_id AS id, m.role, o.org_id AS "orgId", o.name AS "orgName", o.slug AS "orgSlug"
     FROM memberships m JOIN orgs o ON o.org_id = m.org_id
     WHERE m.user_id = ? AND m.active = 1 ORDER BY o.org_id`,
    [userId],
  )

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

export const insertMembership = async (
  tx: Tx,
  orgId: string,
  membership: { id: string; userId: string; role: string; now: number },
): Promise<void> => {
  await tx.run('INSERT INTO memberships (org_id, membership_id, user_id, role, created_at) VALUES (?, ?, ?, ?, ?)', [
    orgId,
    membership.id,
    membership.userId,
    membership.role,
    membership.now,
  ])
}

/** Addresses of an organisation's active owners and admins. */
export const listAdminAddresses = async (reader: Reader, orgId: string): Promise<string[]> => {
  const rows = await reader.all<{ email: string }>(
    `SELECT u.email FROM memberships m JOIN users u ON u.user_id = m.user_id
     WHERE m.org_id = ? AND m.active = 1 AND m.role IN ('owner', 'admin') ORDER BY u.email`,
    [orgId],
  )
  return rows.map((row) => row.email)
}

/** The address of an active member; undefined for anybody else. */
export const findMemberAddress = async (reader: Reader, orgId: string, userId: string): Promise<string | undefined> => {
  const row = await reader.get<{ email: string }>(
    `SELECT u.email FROM memberships m JOIN users u ON u.user_id = m.user_id
     WHERE m.org_id = ? AND m.user_id = ? AND m.active = 1`,
    [orgId, userId],
  )
  return row?.email
}
