import { accessRequestStatuses } from '@integrity/protocol'
import type { Stretch } from '../../../kernel/paging.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { AccessRequestRow, AccessStatus } from './access-requests.types.ts'

const columns = `request_id AS id, organisation, name, email, country, sessions_per_month AS "sessionsPerMonth", message,
  locale, status, created_at AS "createdAt", decided_at AS "decidedAt", decided_by AS "decidedBy",
  decline_message AS "declineMessage", opened_at AS "openedAt", accepted_at AS "acceptedAt", org_id AS "orgId"`

/** Requests come before there is an organisation, and belong to none. */
export const findAccessRequest = (reader: Reader, id: string): Promise<AccessRequestRow | undefined> =>
  reader.get<AccessRequestRow>(`SELECT ${columns} FROM access_requests WHERE request_id = ?`, [id])

/** Reads the request and holds it until the commit; whoever changes it or its links does this first. */
export const lockAccessRequest = (tx: Tx, id: string): Promise<AccessRequestRow | undefined> =>
  tx.get<AccessRequestRow>(`SELECT ${columns} FROM access_requests WHERE request_id = ?${tx.forUpdate}`, [id])

export type NewAccessRequest = Pick<
  AccessRequestRow,
  'id' | 'organisation' | 'name' | 'email' | 'country' | 'sessionsPerMonth' | 'message' | 'locale' | 'createdAt'
>

/** Stores a request; does nothing when the address has a pending one. */
export const insertAccessRequest = async (tx: Tx, request: NewAccessRequest): Promise<boolean> => {
  const { id, organisation, name, email, country, sessionsPerMonth, message, locale, createdAt } = request
  const { changes } = await tx.run(
    `INSERT INTO access_requests (request_id, organisation, name, email, country, sessions_per_month, message, locale,
       status, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?)
     ON CONFLICT DO NOTHING`,
    [id, organisation, name, email, country, sessionsPerMonth, message, locale, createdAt],
  )
  return changes === 1
}

const updatable = {
  status: 'status',
  decidedAt: 'decided_at',
  decidedBy: 'decided_by',
  declineMessage: 'decline_message',
  openedAt: 'opened_at',
  acceptedAt: 'accepted_at',
  orgId: 'org_id',
} as const
type Changes = Partial<Pick<AccessRequestRow, keyof typeof updatable>>

/** Call with the request locked. */
export const updateAccessRequest = async (tx: Tx, id: string, changes: Changes): Promise<void> => {
  const names = Object.keys(changes) as (keyof Changes)[]
  await tx.run(
    `UPDATE access_requests SET ${names.map((name) => `${updatable[name]} = ?`).join(', ')} WHERE request_id = ?`,
    [...names.map((name) => changes[name] ?? null), id],
  )
}

/** Newest first. */
export const pageOfAccessRequests = (
  reader: Reader,
  status: AccessStatus | undefined,
  { after, skip, take }: Stretch,
): Promise<AccessRequestRow[]> => {
  const where = [...(status ? ['status = ?'] : []), ...(after ? ['(created_at, request_id) < (?, ?)'] : [])]
  return reader.all<AccessRequestRow>(
    `SELECT ${columns} FROM access_requests ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''}
     ORDER BY created_at DESC, request_id DESC LIMIT ? OFFSET ?`,
    [...(status ? [status] : []), ...(after ?? []), take, skip],
  )
}

/** The number of pending requests, counted up to `most`. */
export const countPending = async (reader: Reader, most: number): Promise<number> => {
  const row = await reader.get<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT 1 AS one FROM access_requests WHERE status = 'pending' LIMIT ?) AS waiting`,
    [most],
  )
  return row?.n ?? 0
}

/** The progress of the requests of a period. */
export const countStages = async (reader: Reader, from: number, to: number) => {
  const ofStatus = accessRequestStatuses.map(
    (status) => `count(CASE WHEN status = '${status}' THEN 1 END) AS ${status}`,
  )
  const row = await reader.get<Record<AccessStatus | 'requested' | 'opened' | 'accepted', number>>(
    `SELECT count(*) AS requested, ${ofStatus.join(', ')}, count(opened_at) AS opened, count(org_id) AS accepted
     FROM access_requests WHERE created_at >= ? AND created_at < ?`,
    [from, to],
  )
  if (!row) throw new Error('a count has no row')
  return row
}

/** The organisations that came of the requests of a time, in the order of the requests. */
export const pageOfFounded = (
  reader: Reader,
  { from, to }: { readonly from: number; readonly to: number },
  after: readonly [number, string],
  take: number,
): Promise<{ createdAt: number; id: string; orgId: string }[]> =>
  reader.all(
    `SELECT created_at AS "createdAt", request_id AS id, org_id AS "orgId" FROM access_requests
     WHERE created_at >= ? AND created_at < ? AND (created_at, request_id) > (?, ?) AND org_id IS NOT NULL
     ORDER BY created_at, request_id LIMIT ?`,
    [from, to, ...after, take],
  )
