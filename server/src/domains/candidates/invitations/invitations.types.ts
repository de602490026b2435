export interface InvitationRow {
  readonly id: string
  readonly sessionId: string
  readonly email: string
  readonly name: string | null
  /** Language of the message. */
  readonly locale: string
  /** The inviter's own words. */
  readonly message: string | null
  readonly invitedBy: { readonly kind: string; readonly id: string; readonly label: string | null }
  /** The newest link. */
  readonly linkId: string | null
  /** What the newest message is about. */
  readonly mailKind: string | null
  /** The job that sends it. */
  readonly mailJob: string | null
  readonly createdAt: number
  /** When the mail server took the newest message. */
  readonly sentAt: number | null
  /** When the mail server refused it for good. */
  readonly refusedAt: number | null
  readonly openedAt: number | null
  readonly ticketAt: number | null
  readonly declinedAt: number | null
  readonly revokedAt: number | null
  readonly expiresAt: number
}

/** Of candidates who were invited, how many. */
export interface Outcomes {
  readonly sent: number
  readonly opened: number
  readonly accepted: number
  readonly declined: number
  readonly expired: number
}
