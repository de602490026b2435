import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { InvitationRow } from './invitations.types.ts'

type Raw = Omit<InvitationRow, 'invitedBy'> & {
  readonly invitedKind: string
  readonly invitedId: string
  readonly invitedLabel: string | null
}

const columns = `invitation_id AS id, session_id AS "sessionId", email, name, locale, message,
  invited_kind AS "invitedKind", invited_id AS "invitedId", invited_label AS "invitedLabel", link_id AS "linkId",
  mail_kind AS "mailKind", mail_job AS "mailJob", created_at AS "createdAt", sent_at AS "sentAt",
  refused_at AS "refusedAt", opened_at AS "openedAt", ticket_at AS "ticketAt", declined_at AS "declinedAt",
  revoked_at AS "revokedAt", expires_at AS "expiresAt"`

const fromRaw = ({ invitedKind, invitedId, invitedLabel, ...row }: Raw): InvitationRow => ({
  ...row,
  invitedBy: { kind: invitedKind, id: invitedId, label: invitedLabel },
})

/** Newest first; there are never more than `invitationsPerSession`. */
export const listInvitations = async (reader: Reader, scope: Scope, sessionId: string): Promise<InvitationRow[]> => {
  const rows = await reader.all<Raw>(
    `SELECT ${columns} FROM invitations WHERE org_id = ? AND environment = ? AND session_id = ?
     ORDER BY created_at DESC, invitation_id DESC`,
    [scope.orgId, scope.environment, sessionId],
  )
  return rows.map(fromRaw)
}

export const findInvitation = async (reader: Reader, scope: Scope, id: string): Promise<InvitationRow | undefined> => {
  const raw = await reader.get<Raw>(
    `SELECT ${columns} FROM invitations WHERE org_id = ? AND environment = ? AND invitation_id = ?`,
    [scope.orgId, scope.environment, id],
  )
  return raw && fromRaw(raw)
}

export type NewInvitation = Pick<
  InvitationRow,
  'id' | 'sessionId' | 'email' | 'name' | 'locale' | 'message' | 'invitedBy' | 'createdAt' | 'expiresAt'
>

export const insertInvitation = async (tx: Tx, scope: Scope, row: NewInvitation): Promise<void> => {
  await tx.run(
    `INSERT INTO invitations (org_id, invitation_id, environment, session_id, email, name, locale, message,
       invited_kind, invited_id, invited_label, created_at, expires_at, contact_count)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
    [
      scope.orgId,
      row.id,
      scope.environment,
      row.sessionId,
      row.email,
      row.name,
      row.locale,
      row.message,
      row.invitedBy.kind,
      row.invitedBy.id,
      row.invitedBy.label,
      row.createdAt,
      row.expiresAt,
    ],
  )
}

const updatable = {
  linkId: 'link_id',
  mailKind: 'mail_kind',
  mailJob: 'mail_job',
  sentAt: 'sent_at',
  refusedAt: 'refused_at',
  openedAt: 'opened_at',
  ticketAt: 'ticket_at',
  declinedAt: 'declined_at',
  revokedAt: 'revoked_at',
  expiresAt: 'expires_at',
} as const
export type InvitationChanges = { readonly [K in keyof typeof updatable]?: string | number | null }

export const updateInvitation = async (tx: Tx, scope: Scope, id: string, changes: InvitationChanges): Promise<void> => {
  const names = Object.keys(changes) as (keyof InvitationChanges)[]
  const set = names.map((name) => `${updatable[name]} = ?`).join(', ')
  await tx.run(`UPDATE invitations SET ${set} WHERE org_id = ? AND environment = ? AND invitation_id = ?`, [
    ...names.map((name) => changes[name] ?? null),
    scope.orgId,
    scope.environment,
    id,
  ])
}

const mailOutcomes = { sent: 'sent_at', refused: 'refused_at' } as const

/** Notes that the mail server took a message, or refuses it for good, unless a newer one waits. */
export const markMail = async (
  tx: Tx,
  scope: Scope,
  {
    id,
    mailJob,
    outcome,
  }: { readonly id: string; readonly mailJob: string; readonly outcome: keyof typeof mailOutcomes },
  now: number,
): Promise<void> => {
  await tx.run(
    `UPDATE invitations SET ${mailOutcomes[outcome]} = ?
       ${outcome === 'sent' ? ", calendar_asked = CASE mail_kind WHEN 'cancelled' THEN NULL ELSE calendar_asked END" : ''}
     WHERE org_id = ? AND environment = ? AND invitation_id = ? AND mail_job = ? AND sent_at IS NULL`,
    [now, scope.orgId, scope.environment, id, mailJob],
  )
}

/** Takes one of the messages that an invitation may write within its window; answers their number and the window's start. */
export const takeContact = async (
  tx: Tx,
  scope: Scope,
  id: string,
  { now, windowMs }: { readonly now: number; readonly windowMs: number },
): Promise<{ count: number; since: number } | undefined> =>
  tx.get<{ count: number; since: number }>(
    `UPDATE invitations SET
       contact_count = CASE WHEN contact_since > ? THEN contact_count + 1 ELSE 1 END,
       contact_since = CASE WHEN contact_since > ? THEN contact_since ELSE ? END
     WHERE org_id = ? AND environment = ? AND invitation_id = ?
     RETURNING contact_count AS count, contact_since AS since`,
    [now - windowMs, now - windowMs, now, scope.orgId, scope.environment, id],
  )

/** Gives one back that was not sent. */
export const giveContactBack = async (tx: Tx, scope: Scope, id: string, since: number): Promise<void> => {
  await tx.run(
    `UPDATE invitations SET contact_count = contact_count - 1
     WHERE org_id = ? AND environment = ? AND invitation_id = ? AND contact_since = ? AND contact_count > 0`,
    [scope.orgId, scope.environment, id, since],
  )
}

export const eraseInvited = async (tx: Tx, scope: Scope, sessionId: string): Promise<void> => {
  await tx.run(
    `UPDATE invitations SET email = '', name = NULL, message = NULL
     WHERE org_id = ? AND environment = ? AND session_id = ?`,
    [scope.orgId, scope.environment, sessionId],
  )
}
