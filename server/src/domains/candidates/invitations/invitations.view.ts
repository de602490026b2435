import { iso, isoOrNull } from '../../../kernel/time.ts'
import { statusOf } from './invitations.policy.ts'
import type { InvitationRow } from './invitations.types.ts'

const deliveryOf = ({ sentAt, refusedAt }: InvitationRow) => {
  if (sentAt !== null) return 'sent' as const
  return refusedAt === null ? ('queued' as const) : ('refused' as const)
}

/** An invitation as its organisation sees it: never with a link. */
export const invitationView = (row: InvitationRow, now: number) => ({
  id: row.id,
  email: row.email,
  name: row.name,
  locale: row.locale,
  status: statusOf(row, now),
  delivery: deliveryOf(row),
  invitedBy: row.invitedBy,
  createdAt: iso(row.createdAt),
  sentAt: isoOrNull(row.sentAt),
  openedAt: isoOrNull(row.openedAt),
  ticketAt: isoOrNull(row.ticketAt),
  declinedAt: isoOrNull(row.declinedAt),
  revokedAt: isoOrNull(row.revokedAt),
  expiresAt: iso(row.expiresAt),
})
