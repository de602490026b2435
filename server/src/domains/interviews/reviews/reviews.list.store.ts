import type { ReviewReadiness, ReviewState } from '@integrity/protocol'
import type { Environment } from '../../../kernel/identity/scope.ts'
import type { Stretch } from '../../../kernel/paging.ts'
import { merged, type Slice } from '../../../platform/db/merged.ts'
import type { Param, Reader } from '../../../platform/db/types.ts'
import { living, unfinished } from './backlog.model.ts'
import { ofAll, shownColumns, shownTables } from './reviews.store.ts'
import type { ShownReview } from './reviews.types.ts'

export interface ReviewFilters {
  readonly states: readonly ReviewState[]
  readonly readiness: readonly ReviewReadiness[]
  readonly environments: readonly Environment[]
  /** Empty: nobody has it. */
  readonly assigneeId?: string | undefined
  readonly sessionId?: string | undefined
}
export type ReviewSort = 'oldest' | 'newest'

const directions = { oldest: ['ASC', '>'], newest: ['DESC', '<'] } as const
const marks = (values: readonly unknown[]): string => values.map(() => '?').join(', ')

/** A session has one review, found by its key; else one index holds each state and readiness in the order of time. */
const slicesOf = (orgId: string, filters: ReviewFilters, sort: ReviewSort, after: Stretch['after']): Slice[] => {
  const { states, readiness, environments, assigneeId, sessionId } = filters
  const by = assigneeId === undefined ? '' : ' AND assignee_id = ?'
  const beyond = after ? ` AND (opened_at, review_id) ${directions[sort][1]} (?, ?)` : ''
  const select = 'SELECT opened_at, review_id FROM reviews WHERE org_id = ?'
  const own: Param[] = assigneeId === undefined ? [] : [assigneeId]
  if (sessionId !== undefined)
    return [
      {
        sql: `${select} AND session_id = ?${by} AND environment IN (${marks(environments)}) AND state IN (${marks(states)})
          AND readiness IN (${marks(readiness)})${beyond}`,
        params: [orgId, sessionId, ...own, ...environments, ...states, ...readiness, ...(after ?? [])],
      },
    ]
  return environments.flatMap((environment) =>
    states.flatMap((state) =>
      readiness.map((fact) => ({
        sql: `${select}${by} AND environment = ? AND state = ? AND readiness = ?${beyond}`,
        params: [orgId, ...own, environment, state, fact, ...(after ?? [])],
      })),
    ),
  )
}

/** Crosses the environments of one organisation: what the filters match, in the order of time. */
export const pageOfReviews = (
  reader: Reader,
  orgId: string,
  { filters, sort }: { readonly filters: ReviewFilters; readonly sort: ReviewSort },
  { after, skip, take }: Stretch,
): Promise<ShownReview[]> => {
  const [direction] = directions[sort]
  const slices = slicesOf(orgId, filters, sort, after)
  const { sql, params } = merged(slices, `opened_at ${direction}, review_id ${direction}`, { skip, take })
  return reader.all<ShownReview>(
    `SELECT ${shownColumns} FROM ${shownTables}
     WHERE v.org_id = ? AND v.review_id IN (SELECT review_id FROM (${sql}) AS places)
     ORDER BY v.opened_at ${direction}, v.review_id ${direction}`,
    [orgId, ...params],
  )
}

/** Kept counts; of a session, its one review is looked at. */
export const countReviews = async (reader: Reader, orgId: string, filters: ReviewFilters): Promise<number> => {
  const { states, readiness, environments, assigneeId, sessionId } = filters
  if (sessionId !== undefined) {
    const [slice] = slicesOf(orgId, filters, 'oldest', undefined)
    return slice ? (await reader.all(slice.sql, slice.params)).length : 0
  }
  const row = await reader.get<{ n: number | null }>(
    `SELECT sum(n) AS n FROM review_counts WHERE org_id = ? AND assignee_id = ?
       AND environment IN (${marks(environments)}) AND state IN (${marks(states)}) AND readiness IN (${marks(readiness)})`,
    [orgId, assigneeId ?? ofAll, ...environments, ...states, ...readiness],
  )
  return row?.n ?? 0
}

/** The backlog of each member who has some. */
export const countByAssignee = async (reader: Reader, orgId: string): Promise<ReadonlyMap<string, number>> => {
  const rows = await reader.all<{ assigneeId: string; n: number }>(
    `SELECT assignee_id AS "assigneeId", sum(n) AS n FROM review_counts
     WHERE org_id = ? AND assignee_id > ? AND state IN (${marks(unfinished)}) AND readiness IN (${marks(living)})
     GROUP BY assignee_id`,
    [orgId, ofAll, ...unfinished, ...living],
  )
  return new Map(rows.map(({ assigneeId, n }) => [assigneeId, n]))
}
