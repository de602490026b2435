import type { Reader, Tx } from '../platform/db/types.ts'
import type { Audit } from './audit/audit.types.ts'
import type { Scope } from './identity/scope.ts'
import type { Jobs } from './jobs.types.ts'

/** What an erasure took away, those before it included. */
export interface Erased {
  readonly erasedObjects: number
  /** Plain bytes, one count for each row. */
  readonly erasedBytes: number
  /** Adds it to counts of the organisation: to be called once the audit row is written, which is before them. */
  readonly count?: () => Promise<void>
}

/** What erasing may use. Not picked from the parts, since they name the erasers. */
export interface Erases {
  readonly tx: Tx
  readonly reader: Reader
  readonly scope: Scope
  readonly audit: Audit
  readonly jobs: Jobs
}

/** How something that is kept of a session goes when the session is erased. */
export interface SessionEraser {
  /** In the transaction that holds the session. Again: the same answer, and nothing happens. `erasedAt`: epoch milliseconds. */
  erase(call: Erases, sessionId: string, erasedAt: number): Promise<Erased | undefined>
}

/**
 * How a domain forgets a session. A file `<subject>.erase.service.ts` exports a function `<subject>Eraser` that makes one; nothing
 * else registers it. Lower orders run first: objects before the rows that name them, then their keys, last what others were told.
 */
export interface DomainEraser extends SessionEraser {
  readonly order: number
}
