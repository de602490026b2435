/** What an organisation chose, and how far it came. Rows are those of the trail, times epoch milliseconds; 0: never. */
export interface WitnessesRow {
  readonly orgId: string
  readonly mail: boolean
  readonly webhook: boolean
  readonly witnessUrl: string | null
  readonly witnessKey: string | null
  /** One more with each choice. */
  readonly version: number
  readonly mailedRows: number
  readonly mailedAt: number
  readonly publishedRows: number
  readonly publishedAt: number
  readonly askedAt: number
  readonly cosignedRows: number
  readonly cosignedAt: number
  /** The checkpoint with all its signatures. */
  readonly cosigned: string | null
  readonly problem: string | null
}

export type Chosen = Pick<WitnessesRow, 'mail' | 'webhook' | 'witnessUrl' | 'witnessKey'>
