/** Of both environments: the organisation is the whole scope. */
export interface RecipientRow {
  readonly id: string
  readonly recipient: string
  readonly label: string
  readonly addedAt: number
  /** Null while it is in force. */
  readonly removedAt: number | null
}
