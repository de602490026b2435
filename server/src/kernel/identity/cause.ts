import type { Tx } from '../../platform/db/types.ts'
import type { Scope } from './scope.ts'

/** Where a call acts, and what it goes back to: jobs and events that outlive it keep that. */
export interface Cause {
  readonly scope: Scope
  readonly tx: Tx
  /** The request at its beginning, over all jobs between; none where it is housekeeping. */
  readonly requestId?: string | undefined
}
