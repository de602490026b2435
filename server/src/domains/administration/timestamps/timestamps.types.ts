/** Who stamps an organisation's checkpoints, and how far it came. Times are epoch milliseconds; 0: never. */
export interface TimeAuthorityRow {
  readonly orgId: string
  /** Null: nobody any more. */
  readonly url: string | null
  readonly policy: string | null
  /** PEM; null: what Node.js trusts. */
  readonly certificates: string | null
  /** Rows of the checkpoint that it was last asked about. */
  readonly askedSize: number
  readonly askedAt: number
  readonly problem: string | null
}

export type NamedAuthority = Pick<TimeAuthorityRow, 'policy' | 'certificates'> & { readonly url: string }

/** A time stamp beside the checkpoint of that size. */
export interface TimestampRow {
  readonly size: number
  /** The time that the authority states. */
  readonly stampedAt: number
  /** The subject of its certificate. */
  readonly authority: string
  /** The whole answer, in base64. */
  readonly token: string
}
