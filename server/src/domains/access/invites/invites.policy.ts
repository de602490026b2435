import { type inviteLinkStatuses, type inviteStatuses, ServiceError } from '@integrity/protocol'
import type { InviteLink, InviteRow } from './invites.types.ts'

export type InviteStatus = (typeof inviteStatuses)[number]
export type InviteLinkStatus = (typeof inviteLinkStatuses)[number]

export const statusOf = ({ state, expiresAt }: Pick<InviteRow, 'state' | 'expiresAt'>, now: number): InviteStatus => {
  if (state !== 'open') return state
  return now < expiresAt ? 'pending' : 'expired'
}

/** The status of an invite's link; the invite's own status comes before "replaced". */
export const linkStatusOf = (invite: InviteRow, link: InviteLink, now: number): InviteLinkStatus => {
  const status = statusOf(invite, now)
  return status !== 'accepted' && status !== 'revoked' && link.replacedAt !== null ? 'replaced' : status
}

const told: Readonly<Record<Exclude<InviteStatus, 'pending'>, string>> = {
  accepted: 'this invite was accepted already',
  revoked: 'this invite was revoked; send a new one',
  expired: 'this invite has expired; send a new one',
}

/** Throws `conflict` unless the invite is pending. */
export const refuseOver = (invite: InviteRow, now: number): void => {
  const status = statusOf(invite, now)
  if (status !== 'pending') throw new ServiceError('conflict', told[status], { extra: { reason: status } })
}

const toldInvited: Readonly<Record<Exclude<InviteLinkStatus, 'pending'>, string>> = {
  accepted: 'this invite was accepted already; sign in',
  revoked: 'this invite was withdrawn; ask its sender',
  expired: 'this invite has expired; ask its sender for another',
  replaced: 'a newer link was sent in place of this one',
}

/** Throws `conflict` unless this is the newest link of a pending invite. */
export const refuseUnusable = (invite: InviteRow, link: InviteLink, now: number): void => {
  const status = linkStatusOf(invite, link, now)
  if (status !== 'pending') throw new ServiceError('conflict', toldInvited[status], { extra: { reason: status } })
}
