import type { accessRequestStatuses, ownerInviteStatuses } from '@integrity/protocol'

export type AccessStatus = (typeof accessRequestStatuses)[number]
export type InviteStatus = (typeof ownerInviteStatuses)[number]

/** What somebody asked for. Times in epoch milliseconds. */
export interface AccessRequestRow {
  readonly id: string
  readonly organisation: string
  readonly name: string
  readonly email: string
  readonly country: string
  readonly sessionsPerMonth: number | null
  readonly message: string | null
  readonly locale: string
  readonly status: AccessStatus
  readonly createdAt: number
  readonly decidedAt: number | null
  readonly decidedBy: string | null
  readonly declineMessage: string | null
  /** When a link to it was first opened. */
  readonly openedAt: number | null
  readonly acceptedAt: number | null
  readonly orgId: string | null
}

/** A link to the first owner. The newest of a request works, until its time is over. */
export interface OwnerInviteRow {
  readonly id: string
  readonly requestId: string
  readonly origin: 'approved' | 'resent' | 'renewed'
  readonly createdAt: number
  readonly expiresAt: number
  /** Set once another has taken its place. */
  readonly endedAt: number | null
}
