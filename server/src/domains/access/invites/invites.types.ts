import type { BuiltInRole } from '@integrity/protocol'
import type { HeldRole } from '../../organisation/people/people.types.ts'

/** An invite of one organisation. Times are epoch milliseconds. */
export interface InviteRow extends HeldRole {
  readonly id: string
  readonly email: string
  readonly role: BuiltInRole
  /** Null for a role that was deleted meanwhile, too: then the built-in one is what is offered. */
  readonly customRoleName: string | null
  readonly message: string | null
  readonly locale: string
  readonly invitedBy: string
  /** Who mailed it last, and so gives the role. */
  readonly givenBy: string
  /** An open one is pending until its time is over; within the hour it is closed as `expired`. */
  readonly state: 'open' | 'accepted' | 'revoked' | 'expired'
  readonly createdAt: number
  readonly expiresAt: number
  /** Of the newest message. */
  readonly sentAt: number | null
  readonly refusedAt: number | null
  readonly endedAt: number | null
  readonly membershipId: string | null
}

/** A link that was mailed; the newest of its invite works. */
export interface InviteLink {
  readonly orgId: string
  readonly linkId: string
  readonly inviteId: string
  readonly replacedAt: number | null
}
