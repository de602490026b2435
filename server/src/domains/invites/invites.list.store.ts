import type { Stretch } from '../../kernel/paging.ts'
import { merged, type Slice } from '../../platform/db/merged.ts'
import type { Reader } from '../../platform/db/types.ts'
import type { InviteStatus } from './invites.policy.ts'
import { inviteColumns, inviteTables } from './invites.store.ts'
import type { InviteRow } from './invites.types.ts'

/** A stored state, and of the open ones those whose time is or is not over. */
interface Part {
  readonly state: InviteRow['state']
  readonly timed?: '>' | '<='
}

const every: readonly Part[] = [{ state: 'open' }, { state: 'accepted' }, { state: 'revoked' }, { state: 'expired' }]
const partsOf: Readonly<Record<InviteStatus, readonly Part[]>> = {
  pending: [{ state: 'open', timed: '>' }],
  accepted: [{ state: 'accepted' }],
  revoked: [{ state: 'revoked' }],
  // Few of them are open: the next invite closes them.
  expired: [{ state: 'expired' }, { state: 'open', timed: '<=' }],
}

export interface InviteFilters {
  readonly status?: InviteStatus | undefined
}

const wanted = ({ status }: InviteFilters): readonly Part[] => (status === undefined ? every : partsOf[status])

/** Newest first. */
export const pageOfInvites = (
  reader: Reader,
  orgId: string,
  filters: InviteFilters & { readonly now: number },
  { after, skip, take }: Stretch,
): Promise<InviteRow[]> => {
  const slices = wanted(filters).map(
    ({ state, timed }): Slice => ({
      sql: `SELECT created_at, invite_id FROM invites WHERE org_id = ? AND state = ?
        ${timed ? `AND expires_at ${timed} ?` : ''} ${after ? 'AND (created_at, invite_id) < (?, ?)' : ''}`,
      params: [orgId, state, ...(timed ? [filters.now] : []), ...(after ?? [])],
    }),
  )
  const { sql, params } = merged(slices, 'created_at DESC, invite_id DESC', { skip, take })
  return reader.all<InviteRow>(
    `SELECT ${inviteColumns} FROM ${inviteTables}
     WHERE i.org_id = ? AND i.invite_id IN (SELECT invite_id FROM (${sql}) AS places)
     ORDER BY i.created_at DESC, i.invite_id DESC`,
    [orgId, ...params],
  )
}

/** Kept counts; open ones, of which there are few, are counted by their time. */
export const countInvites = async (
  reader: Reader,
  orgId: string,
  filters: InviteFilters & { readonly now: number },
): Promise<number> => {
  let total = 0
  for (const { state, timed } of wanted(filters)) {
    const row = await (timed
      ? reader.get<{ n: number }>(
          `SELECT count(*) AS n FROM invites WHERE org_id = ? AND state = ? AND expires_at ${timed} ?`,
          [orgId, state, filters.now],
        )
      : reader.get<{ n: number }>('SELECT n FROM invite_counts WHERE org_id = ? AND state = ?', [orgId, state]))
    total += row?.n ?? 0
  }
  return total
}
