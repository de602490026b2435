/** Somebody who speaks with the candidate of a session. Times are epoch milliseconds. */
export interface InterviewerRow {
  readonly id: string
  readonly sessionId: string
  readonly email: string
  readonly name: string | null
  /** Language of the message and of the page. */
  readonly locale: string
  readonly addedBy: { readonly kind: string; readonly id: string; readonly label: string | null }
  /** The newest link. */
  readonly linkId: string | null
  /** What the newest message is about, and the job that sends it. */
  readonly mailKind: string | null
  readonly mailJob: string | null
  readonly createdAt: number
  /** When the mail server took the newest message, or refused it for good. */
  readonly sentAt: number | null
  readonly refusedAt: number | null
  /** When they were first told by a mail, by an appointment for their calendar, and by the page. */
  readonly mailedAt: number | null
  readonly calendarAt: number | null
  readonly openedAt: number | null
  /** When they were taken off the session. */
  readonly removedAt: number | null
}
