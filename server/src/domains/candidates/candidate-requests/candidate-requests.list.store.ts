import { requestKinds, type requestOrders, requestStatuses } from '@integrity/protocol'
import type { Environment } from '../../../kernel/identity/scope.ts'
import type { Stretch } from '../../../kernel/paging.ts'
import { merged, type Slice } from '../../../platform/db/merged.ts'
import type { Reader } from '../../../platform/db/types.ts'
import { columns, type RequestKind, type RequestRow, type RequestStatus } from './candidate-requests.store.ts'

export interface RequestFilters {
  readonly status: RequestStatus | 'open' | 'all'
  readonly kind?: RequestKind | undefined
  readonly environments: readonly Environment[]
  readonly sort: (typeof requestOrders)[number]
}

/** Newest first; answers are due in the order of arrival. */
const directions = { newest: { than: '<', by: 'DESC' }, due: { than: '>', by: 'ASC' } } as const

const statusesOf = ({ status }: RequestFilters): readonly RequestStatus[] => {
  if (status === 'all') return requestStatuses
  return status === 'open' ? ['received', 'acknowledged'] : [status]
}
const kindsOf = ({ kind }: RequestFilters): readonly RequestKind[] => (kind === undefined ? requestKinds : [kind])

/** One index holds each status and kind in the order of time, another all of them. */
const slicesOf = (orgId: string, filters: RequestFilters, after: Stretch['after']): Slice[] => {
  const beyond = after ? `AND (created_at, request_id) ${directions[filters.sort].than} (?, ?)` : ''
  const slice = (environment: Environment, where: string, asked: readonly string[]): Slice => ({
    sql: `SELECT created_at, request_id FROM candidate_requests WHERE org_id = ? AND environment = ? ${where} ${beyond}`,
    params: [orgId, environment, ...asked, ...(after ?? [])],
  })
  return filters.environments.flatMap((environment) =>
    filters.status === 'all' && filters.kind === undefined
      ? [slice(environment, '', [])]
      : statusesOf(filters).flatMap((status) =>
          kindsOf(filters).map((kind) => slice(environment, 'AND status = ? AND kind = ?', [status, kind])),
        ),
  )
}

/** Crosses the environments of one organisation: what the filters match, in the order that they name. */
export const pageOfRequests = (
  reader: Reader,
  orgId: string,
  filters: RequestFilters,
  { after, skip, take }: Stretch,
): Promise<RequestRow[]> => {
  const { by } = directions[filters.sort]
  const { sql, params } = merged(slicesOf(orgId, filters, after), `created_at ${by}, request_id ${by}`, { skip, take })
  return reader.all<RequestRow>(
    `SELECT ${columns} FROM candidate_requests r JOIN sessions s ON s.org_id = r.org_id AND s.session_id = r.session_id
     WHERE r.org_id = ? AND r.request_id IN (SELECT request_id FROM (${sql}) AS places)
     ORDER BY r.created_at ${by}, r.request_id ${by}`,
    [orgId, ...params],
  )
}

/** Kept counts. */
export const countRequests = async (reader: Reader, orgId: string, filters: RequestFilters): Promise<number> => {
  const asked = [filters.environments, statusesOf(filters), kindsOf(filters)] as const
  const [ofEnvironments, ofStatuses, ofKinds] = asked.map((values) => values.map(() => '?').join(', '))
  const row = await reader.get<{ n: number | null }>(
    `SELECT sum(n) AS n FROM candidate_request_counts
     WHERE org_id = ? AND environment IN (${ofEnvironments}) AND status IN (${ofStatuses}) AND kind IN (${ofKinds})`,
    [orgId, ...asked.flat()],
  )
  return row?.n ?? 0
}
