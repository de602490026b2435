/** Who stamps an organisation's checkpoints, and how far it came. Times are epoch milliseconds; 0: never. */
export interface TimeAuthorityRow {
  readonly orgId: string
  /** Null: nobody any more. */
  readonly url: string | null
  readonly policy: string | null
  /** PEM; null: what Node.js trusts. */
  readonly certificates: string | null
  /** One more each time that somebody was named, or nobody any more. */
  readonly version: number
  /** Rows of the checkpoint that it was last asked about. */
  readonly askedSize: number
  readonly askedAt: number
  readonly problem: string | null
}

export type NamedAuthority = Pick<TimeAuthorityRow, 'policy' | 'certificates'> & { readonly url: string }
