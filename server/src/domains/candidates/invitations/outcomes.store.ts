import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Reader } from '../../../platform/db/types.ts'
import type { Outcomes } from './invitations.types.ts'

const count = (condition: string, name: string): string => `count(CASE WHEN ${condition} THEN 1 END) AS ${name}`

/** Of the candidates invited in a time, what has become by an instant. Whoever came with the invitation has accepted it. */
export const countOutcomes = async (
  reader: Reader,
  { orgId, environment }: Scope,
  { from, until, now }: { readonly from: number; readonly until: number; readonly now: number },
): Promise<Outcomes> => {
  const open = 'ticket_at IS NULL AND declined_at IS NULL AND revoked_at IS NULL'
  const row = await reader.get<Outcomes>(
    `SELECT ${count('sent_at IS NOT NULL', 'sent')}, ${count('opened_at IS NOT NULL', 'opened')},
       ${count('ticket_at IS NOT NULL', 'accepted')}, ${count('declined_at IS NOT NULL', 'declined')},
       ${count(`${open} AND expires_at <= ?`, 'expired')}
     FROM invitations WHERE org_id = ? AND environment = ? AND created_at >= ? AND created_at < ?`,
    [now, orgId, environment, from, until],
  )
  return row ?? { sent: 0, opened: 0, accepted: 0, declined: 0, expired: 0 }
}

export const findFirstInvitedAt = async (reader: Reader, { orgId, environment }: Scope): Promise<number | null> => {
  const sql = 'SELECT min(created_at) AS at FROM invitations WHERE org_id = ? AND environment = ?'
  return (await reader.get<{ at: number | null }>(sql, [orgId, environment]))?.at ?? null
}
