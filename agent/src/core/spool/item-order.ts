import type { ItemHeader } from './types.ts'

const compare = <T extends number | string>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)

/** What is not signed was captured after the index, and the key with it, was lost. */
const placeOf = ({ signed }: ItemHeader): number => signed?.signature.sequence ?? Number.MAX_SAFE_INTEGER

/**
 * Sorts items of one session as they were captured: by their place in the machine's chain; without one by time, and those of
 * one instant by lane and number. Ids cannot: those of one millisecond are random.
 */
export const inOrderOfCapture = (a: ItemHeader, b: ItemHeader): number =>
  compare(placeOf(a), placeOf(b)) ||
  compare(a.capturedAt, b.capturedAt) ||
  compare(a.lane, b.lane) ||
  compare(a.sequence, b.sequence)
