import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'

export interface AskedRow {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly locale: string
  /** Sealed; null unless a message that takes the appointment out of the calendar waits. */
  readonly withdrawal: string | null
  /** Id of a person or of a connected system. */
  readonly invitedBy: string
}

/** The invitations whose calendars were asked to keep the session's appointment, or from which it is being taken. */
export const listAsked = (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  which: 'asked' | 'withdrawn' = 'asked',
): Promise<AskedRow[]> =>
  reader.all<AskedRow>(
    `SELECT invitation_id AS id, email, name, locale, calendar_withdrawal AS withdrawal, invited_id AS "invitedBy" FROM invitations
     WHERE org_id = ? AND environment = ? AND session_id = ?
       AND ${which === 'asked' ? "calendar_asked = 1 AND email <> ''" : 'calendar_withdrawal IS NOT NULL'}
     ORDER BY created_at, invitation_id`,
    [scope.orgId, scope.environment, sessionId],
  )

/** @returns false where the invitation has ended, or a newer message has taken the place of this one */
export const markAsked = async (
  tx: Tx,
  scope: Scope,
  { id, mailJob }: { readonly id: string; readonly mailJob: string },
): Promise<boolean> => {
  const { changes } = await tx.run(
    `UPDATE invitations SET calendar_asked = 1 WHERE org_id = ? AND environment = ? AND invitation_id = ?
       AND mail_job = ? AND revoked_at IS NULL AND declined_at IS NULL`,
    [scope.orgId, scope.environment, id, mailJob],
  )
  return changes > 0
}

export const saveWithdrawal = async (tx: Tx, scope: Scope, id: string, sealed: string): Promise<void> => {
  await tx.run(
    `UPDATE invitations SET calendar_asked = NULL, calendar_withdrawal = ?
     WHERE org_id = ? AND environment = ? AND invitation_id = ?`,
    [sealed, scope.orgId, scope.environment, id],
  )
}

export const forgetWithdrawal = async (tx: Tx, scope: Scope, id: string, sealed: string): Promise<void> => {
  await tx.run(
    `UPDATE invitations SET calendar_withdrawal = NULL
     WHERE org_id = ? AND environment = ? AND invitation_id = ? AND calendar_withdrawal = ?`,
    [scope.orgId, scope.environment, id, sealed],
  )
}
