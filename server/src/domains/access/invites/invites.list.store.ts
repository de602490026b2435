import type { Stretch } from '../../../kernel/paging.ts'
import { merged, type Slice } from '../../../platform/db/merged.ts'
import type { Reader } from '../../../platform/db/types.ts'
import type { InviteStatus } from './invites.policy.ts'
import { inviteColumns, inviteTables } from './invites.store.ts'
import type { InviteRow } from './invites.types.ts'

type State = InviteRow['state']

const statesOf: Readonly<Record<InviteStatus, readonly State[]>> = {
  pending: ['open'],
  accepted: ['accepted'],
  revoked: ['revoked'],
  expired: ['expired', 'open'],
}
const everyState: readonly State[] = ['open', 'accepted', 'revoked', 'expired']

export interface InviteFilters {
  readonly status?: InviteStatus | undefined
}

/** Of the open ones, those whose time is over are few: they are closed every hour. */
const timeOf = ({ status }: InviteFilters, state: State): string => {
  if (status === undefined || state !== 'open') return ''
  // With the plus, SQLite keeps to the index that has the order.
  return status === 'pending' ? 'AND +expires_at > ?' : 'AND expires_at <= ?'
}

/** Newest first. */
export const pageOfInvites = (
  reader: Reader,
  orgId: string,
  filters: InviteFilters & { readonly now: number },
  { after, skip, take }: Stretch,
): Promise<InviteRow[]> => {
  const { status, now } = filters
  const slices = (status === undefined ? everyState : statesOf[status]).map((state): Slice => {
    const time = timeOf(filters, state)
    return {
      sql: `SELECT created_at, invite_id FROM invites WHERE org_id = ? AND state = '${state}' ${time}
        ${after ? 'AND (created_at, invite_id) < (?, ?)' : ''}`,
      params: [orgId, ...(time ? [now] : []), ...(after ?? [])],
    }
  })
  const { sql, params } = merged(slices, 'created_at DESC, invite_id DESC', { skip, take })
  return reader.all<InviteRow>(
    `SELECT ${inviteColumns} FROM ${inviteTables}
     WHERE i.org_id = ? AND i.invite_id IN (SELECT invite_id FROM (${sql}) AS places)
     ORDER BY i.created_at DESC, i.invite_id DESC`,
    [orgId, ...params],
  )
}

/** Kept counts of what is stored, set right by those that are open and whose time is over. */
export const countInvites = async (
  reader: Reader,
  orgId: string,
  { status, now }: InviteFilters & { readonly now: number },
): Promise<number> => {
  const states = status === undefined ? everyState : status === 'expired' ? ['expired'] : statesOf[status]
  const kept = await reader.get<{ n: number | null }>(
    `SELECT sum(n) AS n FROM invite_counts WHERE org_id = ? AND state IN (${states.map(() => '?').join(', ')})`,
    [orgId, ...states],
  )
  const total = kept?.n ?? 0
  if (status !== 'pending' && status !== 'expired') return total
  const late = await reader.get<{ n: number }>(
    `SELECT count(*) AS n FROM invites WHERE org_id = ? AND state = 'open' AND expires_at <= ?`,
    [orgId, now],
  )
  return status === 'pending' ? total - (late?.n ?? 0) : total + (late?.n ?? 0)
}
