import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { InviteLink, InviteRow } from './invites.types.ts'

export const inviteColumns = `i.invite_id AS id, i.email, i.role, r.role_id AS "customRoleId", r.permissions AS "customPermissions",
  r.name AS "customRoleName", i.message, i.locale, i.invited_by AS "invitedBy", COALESCE(i.given_by, i.invited_by) AS "givenBy", i.state, i.created_at AS "createdAt",
  i.expires_at AS "expiresAt", i.sent_at AS "sentAt", i.refused_at AS "refusedAt", i.ended_at AS "endedAt",
  i.membership_id AS "membershipId"`
export const inviteTables = 'invites i LEFT JOIN custom_roles r ON r.org_id = i.org_id AND r.role_id = i.custom_role_id'

export const findInvite = (reader: Reader, orgId: string, id: string): Promise<InviteRow | undefined> =>
  reader.get<InviteRow>(`SELECT ${inviteColumns} FROM ${inviteTables} WHERE i.org_id = ? AND i.invite_id = ?`, [
    orgId,
    id,
  ])

/** The one that waits for an answer of this address. */
export const findOpenInvite = (reader: Reader, orgId: string, email: string): Promise<{ id: string } | undefined> =>
  reader.get<{ id: string }>(`SELECT invite_id AS id FROM invites WHERE org_id = ? AND email = ? AND state = 'open'`, [
    orgId,
    email,
  ])

const addToCount = async (tx: Tx, orgId: string, state: InviteRow['state'], n: number): Promise<void> => {
  await tx.run(
    `INSERT INTO invite_counts (org_id, state, n) VALUES (?, ?, ?)
     ON CONFLICT (org_id, state) DO UPDATE SET n = invite_counts.n + excluded.n`,
    [orgId, state, n],
  )
}

export type NewInvite = Pick<
  InviteRow,
  'id' | 'email' | 'role' | 'customRoleId' | 'message' | 'locale' | 'invitedBy' | 'createdAt' | 'expiresAt'
>

/** Call this and whatever changes an invite with the organisation's people locked. */
export const insertInvite = async (tx: Tx, orgId: string, invite: NewInvite): Promise<void> => {
  const { id, email, role, customRoleId, message, locale, invitedBy, createdAt, expiresAt } = invite
  await tx.run(
    `INSERT INTO invites (org_id, invite_id, email, role, custom_role_id, message, locale, invited_by, state, created_at,
       expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'open', ?, ?)`,
    [orgId, id, email, role, customRoleId, message, locale, invitedBy, createdAt, expiresAt],
  )
  await addToCount(tx, orgId, 'open', 1)
}

/** Another message is to be sent, by whoever gives the role from now on. */
export const prolongInvite = async (
  tx: Tx,
  orgId: string,
  { id, expiresAt, givenBy }: Pick<InviteRow, 'id' | 'expiresAt' | 'givenBy'>,
): Promise<void> => {
  await tx.run(
    `UPDATE invites SET expires_at = ?, given_by = ?, sent_at = NULL, refused_at = NULL
     WHERE org_id = ? AND invite_id = ?`,
    [expiresAt, givenBy, orgId, id],
  )
}

export const endInvite = async (
  tx: Tx,
  orgId: string,
  id: string,
  end: { readonly state: 'accepted' | 'revoked'; readonly now: number; readonly membershipId?: string },
): Promise<void> => {
  await tx.run('UPDATE invites SET state = ?, ended_at = ?, membership_id = ? WHERE org_id = ? AND invite_id = ?', [
    end.state,
    end.now,
    end.membershipId ?? null,
    orgId,
    id,
  ])
  await addToCount(tx, orgId, 'open', -1)
  await addToCount(tx, orgId, end.state, 1)
}

/** What a custom role holds now. */
export const findOfferedRole = (
  reader: Reader,
  orgId: string,
  roleId: string,
): Promise<{ permissions: string } | undefined> =>
  reader.get<{ permissions: string }>('SELECT permissions FROM custom_roles WHERE org_id = ? AND role_id = ?', [
    orgId,
    roleId,
  ])

/** The pending ones; of one giver where that is said. */
export const listPendingInvites = (
  reader: Reader,
  orgId: string,
  { now, givenBy }: { readonly now: number; readonly givenBy: string | undefined },
): Promise<InviteRow[]> =>
  reader.all<InviteRow>(
    `SELECT ${inviteColumns} FROM ${inviteTables}
     WHERE i.org_id = ? AND i.state = 'open' AND i.expires_at > ?
       ${givenBy === undefined ? '' : 'AND COALESCE(i.given_by, i.invited_by) = ?'}
     ORDER BY i.invite_id`,
    [orgId, now, ...(givenBy === undefined ? [] : [givenBy])],
  )

/** Closes those whose time is over. */
export const closeExpiredInvites = async (tx: Tx, orgId: string, now: number): Promise<void> => {
  const { changes } = await tx.run(
    `UPDATE invites SET state = 'expired', ended_at = expires_at WHERE org_id = ? AND state = 'open' AND expires_at <= ?`,
    [orgId, now],
  )
  if (changes === 0) return
  await addToCount(tx, orgId, 'open', -changes)
  await addToCount(tx, orgId, 'expired', changes)
}

/** Crosses tenants: organisations with open invites whose time is over, at most `limit`. */
export const listOrgsWithLateInvitesAcrossOrgs = (
  reader: Reader,
  now: number,
  limit: number,
): Promise<{ readonly orgId: string }[]> =>
  reader.all(
    `SELECT DISTINCT org_id AS "orgId" FROM invites WHERE state = 'open' AND expires_at <= ? ORDER BY org_id LIMIT ?`,
    [now, limit],
  )

/** Crosses tenants: a link is found by its secret alone. */
export const findLinkAcrossOrgs = (reader: Reader, tokenHash: string): Promise<InviteLink | undefined> =>
  reader.get<InviteLink>(
    `SELECT org_id AS "orgId", link_id AS "linkId", invite_id AS "inviteId", replaced_at AS "replacedAt"
     FROM invite_links WHERE token_hash = ?`,
    [tokenHash],
  )

/** Ends the link that works, if any, and adds another. */
export const replaceLink = async (
  tx: Tx,
  { orgId, linkId, inviteId }: Omit<InviteLink, 'replacedAt'>,
  { tokenHash, now }: { readonly tokenHash: string; readonly now: number },
): Promise<void> => {
  await tx.run('UPDATE invite_links SET replaced_at = ? WHERE org_id = ? AND invite_id = ? AND replaced_at IS NULL', [
    now,
    orgId,
    inviteId,
  ])
  await tx.run('INSERT INTO invite_links (org_id, link_id, invite_id, token_hash, created_at) VALUES (?, ?, ?, ?, ?)', [
    orgId,
    linkId,
    inviteId,
    tokenHash,
    now,
  ])
}

export const isNewestLink = async (
  reader: Reader,
  orgId: string,
  { inviteId, linkId }: Pick<InviteLink, 'inviteId' | 'linkId'>,
): Promise<boolean> => {
  const link = await reader.get<{ replacedAt: number | null }>(
    `SELECT replaced_at AS "replacedAt" FROM invite_links WHERE org_id = ? AND link_id = ? AND invite_id = ?`,
    [orgId, linkId, inviteId],
  )
  return link?.replacedAt === null
}

const markColumn = { sent: 'sent_at', refused: 'refused_at' } as const

/** What became of the message with a link, while that is the newest. */
export const markMail = async (
  tx: Tx,
  orgId: string,
  { inviteId, linkId }: Pick<InviteLink, 'inviteId' | 'linkId'>,
  { outcome, now }: { readonly outcome: keyof typeof markColumn; readonly now: number },
): Promise<void> => {
  await tx.run(
    `UPDATE invites SET ${markColumn[outcome]} = ? WHERE org_id = ? AND invite_id = ? AND EXISTS (
       SELECT 1 FROM invite_links l WHERE l.org_id = invites.org_id AND l.link_id = ? AND l.replaced_at IS NULL)`,
    [now, orgId, inviteId, linkId],
  )
}
