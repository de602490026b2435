/** How a killable server is begun. */
export interface Settings {
  /** Epoch milliseconds at which its clock stands. */
  readonly now: number
  readonly dataDir: string
  readonly databaseUrl?: string | undefined
  /** Gives nobody up. */
  readonly patient: boolean
  /** Makes the organisation; only the first one does. */
  readonly bootstrap: boolean
}

/** A delivery that a process was sending when it was killed. */
export interface Claimed {
  readonly id: string
  readonly attempts: number
  readonly leaseUntil: number
  readonly owner: string
}

export interface Hello {
  readonly url: string
  readonly cutOff: readonly Claimed[]
  readonly org: { readonly orgId: string; readonly sandboxKey: string } | undefined
}

export type ProofType = 'session.scheduled' | 'session.started' | 'session.ended' | 'companion.paired'

/** What the test asks of the server's process. Publishing is what any service does: a transaction with an event. */
export type Task =
  | { readonly kind: 'publish'; readonly orgId: string; readonly type: ProofType; readonly count: number }
  /** Sets the clock and answers, once nothing is due or under way, when the next delivery is due. */
  | { readonly kind: 'until'; readonly now: number }
  | { readonly kind: 'jobs' }
  | { readonly kind: 'rows'; readonly sql: string }
