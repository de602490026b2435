import type { Reads } from '../../../kernel/call.ts'
import { listInvitations } from './invitations.store.ts'
import type { InvitationRow } from './invitations.types.ts'

/** Somebody who was invited, and in which language they are written to. */
export type Invited = Pick<InvitationRow, 'id' | 'email' | 'locale'>

/** Who was ever invited to a session, newest first. A revoked invitation counts as none, it may have gone astray; so does an erased one. */
export const invitedAddresses = async (call: Reads, sessionId: string): Promise<Invited[]> => {
  const invitations = await listInvitations(call.reader, call.scope, sessionId)
  return invitations.filter(({ revokedAt, email }) => revokedAt === null && email !== '')
}

/** Every invitation of a session, newest first. The caller has found the session in this scope. */
export const invitationsOf = (call: Reads, sessionId: string) => listInvitations(call.reader, call.scope, sessionId)
