import { iso, isoOrNull } from '../../../kernel/time.ts'
import { heldRoleView, memberView } from '../../organisation/people/members.view.ts'
import { signedInView } from '../auth/auth.view.ts'
import type { Accepted, InviteFacts } from './invited.service.ts'
import { linkStatusOf, statusOf } from './invites.policy.ts'
import type { InviteRow } from './invites.types.ts'

const deliveryOf = ({ sentAt, refusedAt }: InviteRow) => {
  if (sentAt !== null) return 'sent' as const
  return refusedAt === null ? ('queued' as const) : ('refused' as const)
}

/** An invite as its organisation sees it: never with a link. */
export const inviteView = (invite: InviteRow, now: number) => {
  const { id, email, role, invitedBy, message, membershipId, state, endedAt } = invite
  return {
    id,
    email,
    role,
    invitedBy,
    message,
    membershipId,
    customRole: heldRoleView(invite.customRoleId, invite.customRoleName),
    status: statusOf(invite, now),
    delivery: deliveryOf(invite),
    createdAt: iso(invite.createdAt),
    sentAt: isoOrNull(invite.sentAt),
    expiresAt: iso(invite.expiresAt),
    acceptedAt: isoOrNull(state === 'accepted' ? endedAt : null),
    revokedAt: isoOrNull(state === 'revoked' ? endedAt : null),
  }
}

/** The invite as the holder of its link sees it. */
export const factsView = ({ invite, link, shown, hasAccount }: InviteFacts, now: number) => {
  const { email, role, message, expiresAt, customRoleName } = invite
  return {
    org: shown,
    email,
    role,
    message,
    hasAccount,
    customRole: customRoleName === null ? null : { name: customRoleName },
    status: linkStatusOf(invite, link, now),
    expiresAt: iso(expiresAt),
  }
}

export const acceptedView = (
  { org: { id, name, slug }, member, tokens, lacksSecondFactor }: Accepted,
  identity: Parameters<typeof signedInView>[0],
) => {
  const { user, accessExpiresAt, refreshExpiresAt } = signedInView(identity, tokens)
  return {
    org: { id, name, slug },
    membership: memberView(member),
    user,
    accessExpiresAt,
    refreshExpiresAt,
    lacksSecondFactor,
  }
}
