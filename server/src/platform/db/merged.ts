import type { Param } from './types.ts'

/** A read of one stretch of an index, in the index's order, without LIMIT. */
export interface Slice {
  readonly sql: string
  readonly params: readonly Param[]
}

/**
 * Rows of several slices in one order. Both engines merge as they read: no more entries are looked at than are passed over
 * and taken. `order` names columns of the slices.
 */
export const merged = (
  slices: readonly Slice[],
  order: string,
  { skip, take }: { skip: number; take: number },
): Slice => ({
  sql: `SELECT * FROM (${slices.map(({ sql }) => sql).join(' UNION ALL ')} ORDER BY ${order} LIMIT ? OFFSET ?) AS x`,
  params: [...slices.flatMap(({ params }) => params), take, skip],
})
