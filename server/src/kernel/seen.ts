import { ServiceError } from '@integrity/protocol'

/** What a write is answered whose writer has seen another state than the one that it would write over. */
export const setMeanwhile = (
  words = 'somebody else has set this meanwhile; read it again before you set it',
): ServiceError => new ServiceError('conflict', words, { extra: { reason: 'changed' } })

/**
 * Throws `conflict` where the writer has seen another version than the one there is; whoever says nothing of one may write over
 * any. Call with what is written locked, so that of two at the same moment the second finds what the first wrote.
 */
export const checkSeen = (
  { version, words }: { readonly version: number; readonly words?: string | undefined },
  expectedVersion: number | undefined,
): void => {
  if (expectedVersion !== undefined && expectedVersion !== version) throw setMeanwhile(words)
}

/** When a change is made whose time is its version: two in one millisecond are two. */
export const laterThan = (before: number | null | undefined, now: number): number => Math.max(now, (before ?? 0) + 1)
