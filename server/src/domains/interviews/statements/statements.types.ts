/** Words that a candidate wrote for whoever reviews the session. Times are epoch milliseconds. */
export interface StatementRow {
  readonly requestId: string
  readonly at: number
  /** Of the message that holds the words; null with them once they were erased. */
  readonly messageId: string | null
  readonly text: string | null
  /** The moment that they are about; null with its time where they are about the whole interview. */
  readonly momentId: string | null
  readonly momentAt: number | null
  readonly readAt: number | null
  /** When somebody read or declined it. */
  readonly decidedAt: number | null
}
