import type { Param } from './types.ts'

/** A read of one stretch of an index, in the index's order, without LIMIT. */
export interface Slice {
  readonly sql: string
  readonly params: readonly Param[]
}

/**
 * Rows of several slices in one order. Both engines merge as they read, so that no more entries are looked at than are
 * passed over and taken; Postgres only where each slice asks for the order by itself. `order` names columns of the slices.
 */
export const merged = (
  slices: readonly Slice[],
  order: string,
  { skip, take }: { skip: number; take: number },
): Slice => {
  const [one] = slices
  if (one && slices.length === 1)
    return { sql: `${one.sql} ORDER BY ${order} LIMIT ? OFFSET ?`, params: [...one.params, take, skip] }
  const inOrder = slices.map(({ sql }, n) => `SELECT * FROM (${sql} ORDER BY ${order}) AS slice_${n}`)
  return {
    sql: `SELECT * FROM (${inOrder.join(' UNION ALL ')}) AS slices ORDER BY ${order} LIMIT ? OFFSET ?`,
    params: [...slices.flatMap(({ params }) => params), take, skip],
  }
}
