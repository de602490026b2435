/** An instant as the interface writes it: ISO 8601 in UTC, from epoch milliseconds. */
export const iso = (ms: number): string => new Date(ms).toISOString()
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms))

/** A state that changes is published so much later, as it is by then: one that comes and goes is no news. Milliseconds. */
export const settleMs = 3000
