import { sessionStates } from '@integrity/protocol'
import type { Scope } from '../../../../kernel/identity/scope.ts'
import type { Stretch } from '../../../../kernel/paging.ts'
import type { Slice } from '../../../../platform/db/merged.ts'
import type { Param, Reader } from '../../../../platform/db/types.ts'
import type { SessionFilters } from '../sessions.types.ts'

/** By what a list is read in its order; everything else is asked of each row. */
export type ReadBy = 'list' | 'review' | { readonly word: string }

interface Conditions {
  readonly sql: string[]
  readonly params: Param[]
}
const add = ({ sql, params }: Conditions, condition: string, ...values: (Param | undefined)[]): void => {
  const given = values.filter((value) => value !== undefined)
  if (given.length === 0 && condition.includes('?')) return
  sql.push(condition)
  params.push(...given)
}

/** From behind the row `after`, and within the period. */
const addPlace = (to: Conditions, of: string, filters: SessionFilters, after: Stretch['after']): void => {
  const { oldest } = filters
  // Behind a row of the list is inside its period's nearer end anyway: one bound is what an index can begin at.
  if (!(after && oldest)) add(to, `${of}.created_at >= ?`, filters.from)
  if (after) add(to, `(${of}.created_at, ${of}.position) ${oldest ? '>' : '<'} (?, ?)`, ...after)
  if (!after || oldest) add(to, `${of}.created_at < ?`, filters.to)
}

const addWords = (to: Conditions, of: string, words: readonly string[]): void => {
  for (const word of words)
    add(
      to,
      `EXISTS (SELECT 1 FROM session_words w WHERE w.org_id = ${of}.org_id AND w.environment = ${of}.environment
         AND w.word = ? AND w.created_at = ${of}.created_at AND w.position = ${of}.position)`,
      word,
    )
}

/** Whether a review in this state belongs to the row; of those without one, see `byList`. */
const addReview = (to: Conditions, of: string, { reviewState }: SessionFilters): void =>
  add(
    to,
    `EXISTS (SELECT 1 FROM reviews r WHERE r.org_id = ${of}.org_id AND r.environment = ${of}.environment AND r.state = ?
       AND r.created_at = ${of}.created_at AND r.position = ${of}.position)`,
    reviewState,
  )

const addOwn = (to: Conditions, { externalId, provisionedBy, state }: SessionFilters): void => {
  add(to, 's.external_id = ?', externalId)
  add(to, 's.provisioned_id = ?', provisionedBy)
  add(to, 's.state = ?', state)
}

const whole = ({ sql, params }: Conditions, select: string): Slice => ({
  sql: `${select} WHERE ${sql.join(' AND ')}`,
  params,
})
const places = (of: string): string => `SELECT ${of}.created_at, ${of}.position, ${of}.environment`

/** The places of a list as the sessions themselves are kept. A provisioner's sessions are kept by state. */
const byList = (scope: Scope, filters: SessionFilters, after: Stretch['after']): Slice[] => {
  const { reviewState, provisionedBy, externalId } = filters
  const ofProvisioner = provisionedBy !== undefined && externalId === undefined
  const byState = ofProvisioner || reviewState === 'none'
  const states = filters.state === undefined && byState ? sessionStates : [filters.state]
  return states.map((state) => {
    const where: Conditions = { sql: ['s.org_id = ?', 's.environment = ?'], params: [scope.orgId, scope.environment] }
    addOwn(where, { ...filters, state })
    addPlace(where, 's', filters, after)
    addWords(where, 's', filters.words ?? [])
    if (reviewState !== 'none') addReview(where, 's', filters)
    const slice = whole(where, `${places('s')} FROM sessions s`)
    // A session without a review has not ended, or it never began.
    return reviewState === 'none'
      ? { ...slice, sql: `${slice.sql} ${state === 'ended' ? 'AND s.started_at IS NULL' : ''}` }
      : slice
  })
}

/** What belongs to the session of a row that is read from another index. */
const addSession = (to: Conditions, of: string, filters: SessionFilters): void => {
  const own: Conditions = { sql: [], params: [] }
  addOwn(own, filters)
  if (filters.reviewState === 'none') own.sql.push(`(s.state <> 'ended' OR s.started_at IS NULL)`)
  if (own.sql.length === 0) return
  to.sql.push(`EXISTS (SELECT 1 FROM sessions s WHERE s.org_id = ${of}.org_id AND s.environment = ${of}.environment
    AND s.position = ${of}.position AND ${own.sql.join(' AND ')})`)
  to.params.push(...own.params)
}

/** The places of a list as the index of words or of reviews has them. */
const byOther = (scope: Scope, filters: SessionFilters, by: ReadBy, after: Stretch['after']): Slice => {
  const isReview = by === 'review'
  const driver = isReview || by === 'list' ? (filters.reviewState ?? '') : by.word
  const [of, table, column] = isReview ? ['v', 'reviews', 'state'] : ['d', 'session_words', 'word']
  const where: Conditions = {
    sql: [`${of}.org_id = ?`, `${of}.environment = ?`, `${of}.${column} = ?`],
    params: [scope.orgId, scope.environment, driver],
  }
  addPlace(where, of, filters, after)
  addWords(
    where,
    of,
    (filters.words ?? []).filter((word) => isReview || word !== driver),
  )
  if (!isReview && filters.reviewState !== 'none') addReview(where, of, filters)
  // A review is of a session that has ended.
  addSession(where, of, isReview ? { ...filters, state: undefined } : filters)
  return whole(where, `${places(of)} FROM ${table} ${of}`)
}

/** The places of what the filters match in one environment, each slice in the order of an index. */
export const slicesOf = (scope: Scope, filters: SessionFilters, by: ReadBy, after: Stretch['after']): Slice[] =>
  by === 'list' ? byList(scope, filters, after) : [byOther(scope, filters, by, after)]

/** What is searched is counted up to `atMost`. */
export const countFound = async (
  reader: Reader,
  scope: Scope,
  { filters, by }: { readonly filters: SessionFilters; readonly by: ReadBy },
  atMost: number,
): Promise<number> => {
  const slices = slicesOf(scope, filters, by, undefined)
  const row = await reader.get<{ counted: number }>(
    `SELECT count(*) AS counted FROM (${slices.map(({ sql }) => sql).join(' UNION ALL ')} LIMIT ?) AS places`,
    [...slices.flatMap(({ params }) => params), atMost],
  )
  return row?.counted ?? 0
}
