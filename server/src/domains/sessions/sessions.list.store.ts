import { sessionStates } from '@integrity/protocol'
import type { Scope } from '../../kernel/identity/scope.ts'
import type { Stretch } from '../../kernel/paging.ts'
import { merged, type Slice } from '../../platform/db/merged.ts'
import type { Param, Reader } from '../../platform/db/types.ts'
import { type Raw, shownColumns, shownFromRaw } from './sessions.store.ts'
import type { SessionFilters, ShownSession } from './sessions.types.ts'

/** A session, and its place among those of its organisation and environment. */
export type ListedSession = ShownSession & { readonly position: number }

const listed = (raws: readonly Raw[]): ListedSession[] =>
  raws.map((raw) => ({ ...shownFromRaw(raw), position: Number(raw['position']) }))

const listedColumns = `${shownColumns}, position`
const order = 'created_at DESC, position DESC'

/** The condition of the filters, from below the row `after`. */
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
  add('created_at >= ?', filters.from)
  // Behind a row of the list is before its end anyway: one bound is what an index can begin at.
  if (after) add('(created_at, position) < (?, ?)', ...after)
  else add('created_at < ?', filters.to)
  return { sql: conditions.join(' AND '), params }
}

/** What the filters match, newest first. */
export const pageOfMatching = async (
  reader: Reader,
  scope: Scope,
  filters: SessionFilters,
  { after, skip, take }: Stretch,
): Promise<ListedSession[]> => {
  if (filters.provisionedBy !== undefined && filters.state === undefined && filters.externalId === undefined) {
    const slices = sessionStates.map((state): Slice => {
      const { sql, params } = matching(scope, { ...filters, state }, after)
      return { sql: `SELECT created_at, position FROM sessions s WHERE ${sql}`, params }
    })
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
