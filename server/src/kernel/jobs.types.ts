import type { Cause } from './identity/cause.ts'

/** Kind → payload of every job that can be asked for. A domain adds its own by declaration, beside their definitions. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by declaration
export interface JobPayloads {}
export type JobKind = keyof JobPayloads

export interface JobRequest<K extends JobKind = JobKind> {
  readonly kind: K
  readonly payload: JobPayloads[K]
  /** Epoch milliseconds; now unless given. */
  readonly runAt?: number
  /** While a job of the same scope, kind and key has not started, another is not added. */
  readonly dedupeKey?: string
}

/** Asks for work that another process may do. */
export interface Jobs {
  /** Adds a job in the caller's transaction; it exists exactly if that commits. Null when the dedupe key was waiting. */
  enqueue<K extends JobKind>(call: Cause, request: JobRequest<K>): Promise<string | null>
  /** Forgets jobs that ended longer ago than `ageMs`. */
  purge(ageMs: number): Promise<void>
}
