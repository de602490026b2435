import { accessActions, auditTotalMax } from '@integrity/protocol'
import { readHead } from '../../../kernel/audit/audit.verify.store.ts'
import type { Needs } from '../../../kernel/call.ts'
import { type PageOf, type PageQuery, readPage } from '../../../kernel/paging.ts'
import { labelsOf } from '../../organisation/api-keys/api-keys.service.ts'
import { addressesOf } from '../../organisation/people/people.service.ts'
import { type AuditFilters, countAudit, type ListedRow, pageOfAudit } from './audit.list.store.ts'

/** What the interface asks for: instants as text. */
export interface AuditQuery {
  readonly action?: string | undefined
  readonly sessionId?: string | undefined
  readonly userId?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export const filtersOf = ({ from, to, action, sessionId, userId }: AuditQuery): AuditFilters => ({
  action,
  sessionId,
  userId,
  from: from === undefined ? undefined : Date.parse(from),
  to: to === undefined ? undefined : Date.parse(to),
})

export const isUnfiltered = (filters: AuditFilters): boolean =>
  Object.values(filters).every((value) => value === undefined)

/** What people call who acted, by id. */
const labelsOfActors = async (call: Needs<'reader'>, orgId: string, rows: readonly ListedRow[]) => {
  const idsOf = (...kinds: string[]) => [
    ...new Set(rows.filter(({ actorKind }) => kinds.includes(actorKind)).map(({ actorId }) => actorId)),
  ]
  return new Map([
    ...(await addressesOf(call, idsOf('user', 'account', 'refresh', 'download'))),
    ...(await labelsOf(call, { orgId, ids: idsOf('api_key', 'download') })),
  ])
}

/** Every row of the chain is counted by its head; what filters match is counted, so far as anybody wants to know. */
const totalOf = async ({ reader }: Needs<'reader'>, orgId: string, filters: AuditFilters) => {
  if (isUnfiltered(filters)) return { total: (await readHead(reader, orgId))?.seq ?? 0, totalIsExact: true }
  const counted = await countAudit(reader, orgId, filters, auditTotalMax + 1)
  return { total: Math.min(counted, auditTotalMax), totalIsExact: counted <= auditTotalMax }
}

export interface AuditPage extends PageOf<ListedRow> {
  readonly total: number
  readonly totalIsExact: boolean
  /** What people call who acted, by id. */
  readonly labels: ReadonlyMap<string, string>
}

const readFiltered = async (
  call: Needs<'reader'>,
  orgId: string,
  filters: AuditFilters,
  query: PageQuery,
): Promise<AuditPage> => {
  const page = await readPage<ListedRow>(
    {
      of: ['audit', orgId, filters],
      kinds: ['number', 'number'],
      keyOf: ({ at, seq }) => [at, seq],
      fetch: (stretch) => pageOfAudit(call.reader, orgId, filters, stretch),
    },
    query,
  )
  const labels = await labelsOfActors(call, orgId, page.rows)
  return { ...page, ...(await totalOf(call, orgId, filters)), labels }
}

/** What was done in a session, newest first, page by page; people go by their ids, and payloads stay in the chain. */
export async function* auditPagesOfSession(
  call: Needs<'reader'>,
  { orgId, sessionId }: { readonly orgId: string; readonly sessionId: string },
): AsyncGenerator<ListedRow[]> {
  const take = 500
  const filters = filtersOf({ sessionId })
  for (let after: readonly [number, number] | undefined; ; ) {
    const page = await pageOfAudit(call.reader, orgId, filters, { after, skip: 0, take })
    yield [...page]
    const last = page.at(-1)
    if (!last || page.length < take) return
    after = [last.at, last.seq]
  }
}

export const readAudit = (
  call: Needs<'reader'>,
  { orgId, query }: { readonly orgId: string; readonly query: AuditQuery & PageQuery },
): Promise<AuditPage> => readFiltered(call, orgId, filtersOf(query), query)

/** Who opened or exported what of a session, newest first. */
export const readAccess = (
  call: Needs<'reader'>,
  { orgId, sessionId, query }: { readonly orgId: string; readonly sessionId: string; readonly query: PageQuery },
): Promise<AuditPage> => readFiltered(call, orgId, { sessionId, anyAction: accessActions }, query)
