import type { Needs, Writes } from './call.ts'

/** What an erasure took away, those before it included. */
export interface Erased {
  readonly erasedObjects: number
  /** Plain bytes, one count for each row. */
  readonly erasedBytes: number
  /** Adds it to counts of the organisation: to be called once the audit row is written, which stands before them. */
  readonly count?: () => Promise<void>
}

/** What a domain keeps of a session, and how it goes when the session is erased. */
export interface SessionEraser {
  /** In the transaction that holds the session. Again: the same answer, and nothing happens. `erasedAt`: epoch milliseconds. */
  erase(call: Writes & Needs<'audit' | 'jobs'>, sessionId: string, erasedAt: number): Promise<Erased | undefined>
}
