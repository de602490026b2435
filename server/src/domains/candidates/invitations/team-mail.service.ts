import { ServiceError } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import { addressesOfHolders, memberAddress } from '../../organisation/people/people.service.ts'
import type { InvitationRow } from './invitations.types.ts'
import type { Notice } from './team.messages.ts'

/** Whom a candidate's words go to: who invited, while an active member, else the members who answer candidates. */
export const hiringTeam = async (
  call: Needs<'reader'>,
  {
    orgId,
    invitation: { invitedBy },
  }: { readonly orgId: string; readonly invitation: Pick<InvitationRow, 'invitedBy'> },
): Promise<readonly string[]> => {
  const { reader } = call
  const inviter = await memberAddress({ reader }, { orgId, userId: invitedBy.id })
  return inviter === undefined
    ? addressesOfHolders({ reader }, { orgId, permission: 'candidate_request.manage' })
    : [inviter]
}

interface SendToTeamInput {
  readonly orgId: string
  readonly invitation: InvitationRow
  readonly notice: Notice & { readonly replyTo: string | undefined }
}

/**
 * Sends a candidate's words at once, because nothing of them is kept: before the transaction that records it. Throws
 * `service_unavailable` when the mail server does not take them.
 */
export const sendToTeam = async (
  call: Needs<'mail' | 'newId' | 'reader'>,
  { orgId, invitation, notice }: SendToTeamInput,
): Promise<void> => {
  const to = await hiringTeam(call, { orgId, invitation })
  if (to.length === 0)
    throw new ServiceError(
      'service_unavailable',
      'the organisation has no address that can receive this message at the moment',
    )
  try {
    await call.mail.send({ id: call.newId('msg'), to, ...notice })
  } catch (cause) {
    throw new ServiceError(
      'service_unavailable',
      'your message could not be sent, because the mail server does not answer; please try again in a few minutes',
      { cause },
    )
  }
}
