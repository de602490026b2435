import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Reader } from '../../../platform/db/types.ts'

/** Who invited to a session last, by an invitation that was not revoked: nobody, a person, or a connected system. */
export const findInviter = (
  reader: Reader,
  scope: Scope,
  sessionId: string,
): Promise<{ kind: string; id: string } | undefined> =>
  reader.get(
    `SELECT invited_kind AS kind, invited_id AS id FROM invitations
     WHERE org_id = ? AND environment = ? AND session_id = ? AND revoked_at IS NULL
     ORDER BY created_at DESC, invitation_id DESC LIMIT 1`,
    [scope.orgId, scope.environment, sessionId],
  )
