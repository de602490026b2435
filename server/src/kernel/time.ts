/** An instant as the interface writes it: ISO 8601 in UTC, from epoch milliseconds. */
export const iso = (ms: number): string => new Date(ms).toISOString()
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms))
