import { type Environment, environments, type Scope } from '../../../../kernel/identity/scope.ts'
import type { Stretch } from '../../../../kernel/paging.ts'
import { merged, type Slice } from '../../../../platform/db/merged.ts'
import type { Param, Reader } from '../../../../platform/db/types.ts'
import { type Raw, shownColumns, shownFromRaw } from '../sessions.store.ts'
import type { SessionFilters, ShownSession } from '../sessions.types.ts'
import { type ReadBy, slicesOf } from './sessions.search.store.ts'

/** A session, and its place among those of its organisation and environment. */
export type ListedSession = ShownSession & { readonly position: number }

const listed = (raws: readonly Raw[]): ListedSession[] =>
  raws.map((raw) => ({ ...shownFromRaw(raw), position: Number(raw['position']) }))

const listedColumns = `${shownColumns}, position`
/** Both ways an index of the list is read whole, forwards or backwards. */
const orderOf = ({ oldest }: SessionFilters, names: readonly string[]): string =>
  names.map((name) => `${name} ${oldest ? 'ASC' : 'DESC'}`).join(', ')

const place = ['created_at', 'position']

/** The condition of the filters, from behind the row `after`. */
export const matching = (scope: Scope, filters: SessionFilters, after: Stretch['after']): Slice => {
  const conditions = ['s.org_id = ?', 'environment = ?']
  const params: Param[] = [scope.orgId, scope.environment]
  const add = (condition: string, ...values: (Param | undefined)[]): void => {
    const given = values.filter((value) => value !== undefined)
    if (given.length === 0) return
    conditions.push(condition)
    params.push(...given)
  }
  add('external_id = ?', filters.externalId)
  add('provisioned_id = ?', filters.provisionedBy)
  add('state = ?', filters.state)
  // Behind a row of the list is inside its period's nearer end anyway: one bound is what an index can begin at.
  if (!(after && filters.oldest)) add('created_at >= ?', filters.from)
  if (after) add(`(created_at, position) ${filters.oldest ? '>' : '<'} (?, ?)`, ...after)
  if (!after || filters.oldest) add('created_at < ?', filters.to)
  return { sql: conditions.join(' AND '), params }
}

/** What is asked for, and by which index it is read. */
export interface Asked {
  readonly filters: SessionFilters
  readonly by: ReadBy
}

/** Whether more is asked than the sessions' own columns say. */
export const isSearch = ({ words, reviewState }: SessionFilters): boolean =>
  words !== undefined || reviewState !== undefined

/** What the filters match in one environment, in their order. */
export const pageOfMatching = async (
  reader: Reader,
  scope: Scope,
  { filters, by }: Asked,
  { after, skip, take }: Stretch,
): Promise<ListedSession[]> => {
  const slices = slicesOf(scope, filters, by, after)
  const order = orderOf(filters, place)
  // What is passed over is read from the index alone, without what is counted for each row that is shown.
  if (slices.length > 1 || skip > 0 || isSearch(filters)) {
    const { sql, params } = merged(slices, order, { skip, take })
    return listed(
      await reader.all<Raw>(
        `SELECT ${listedColumns} FROM sessions s WHERE s.org_id = ? AND environment = ?
           AND position IN (SELECT position FROM (${sql}) AS places) ORDER BY ${order}`,
        [scope.orgId, scope.environment, ...params],
      ),
    )
  }
  const { sql, params } = matching(scope, filters, after)
  return listed(
    await reader.all<Raw>(`SELECT ${listedColumns} FROM sessions s WHERE ${sql} ORDER BY ${order} LIMIT ? OFFSET ?`, [
      ...params,
      take,
      skip,
    ]),
  )
}

/** Crosses the environments of one organisation: what the filters match in both, in their order. */
export const pageOfBoth = async (
  reader: Reader,
  orgId: string,
  { filters, by }: Asked,
  { after, skip, take }: Stretch,
): Promise<ListedSession[]> => {
  const [createdAt = 0, position = 0, last = ''] = after ?? []
  // Behind a row of an environment that the order shows first, the same place of this one comes next.
  const same = (environment: Environment) => (filters.oldest ? environment > last : environment < last)
  const next = Number(position) + (filters.oldest ? -1 : 1)
  const behind = (environment: Environment): Stretch['after'] =>
    after && [createdAt, same(environment) ? next : position]
  const slices = environments.flatMap((environment) =>
    slicesOf({ orgId, environment }, filters, by, behind(environment)),
  )
  const inBoth = orderOf(filters, [...place, 'environment'])
  const { sql, params } = merged(slices, inBoth, { skip, take })
  return listed(
    await reader.all<Raw>(
      `SELECT ${listedColumns} FROM sessions s WHERE s.org_id = ?
         AND (environment, position) IN (SELECT environment, position FROM (${sql}) AS places) ORDER BY ${inBoth}`,
      [orgId, ...params],
    ),
  )
}

/** All of them: positions are dense, so the offset is a subtraction. */
export const pageOfAll = async (
  reader: Reader,
  scope: Scope,
  last: number,
  { after, skip, take }: Stretch,
): Promise<ListedSession[]> => {
  const below = Number(after?.[1] ?? last + 1) - skip
  return listed(
    await reader.all<Raw>(
      `SELECT ${listedColumns} FROM sessions s WHERE s.org_id = ? AND environment = ? AND position < ?
       ORDER BY position DESC LIMIT ?`,
      [scope.orgId, scope.environment, below, take],
    ),
  )
}
