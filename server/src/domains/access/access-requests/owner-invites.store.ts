import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { OwnerInviteRow } from './access-requests.types.ts'

const columns = `invite_id AS id, request_id AS "requestId", origin, created_at AS "createdAt", expires_at AS "expiresAt",
  ended_at AS "endedAt"`

export const findInviteByHash = (reader: Reader, tokenHash: string): Promise<OwnerInviteRow | undefined> =>
  reader.get<OwnerInviteRow>(`SELECT ${columns} FROM owner_invites WHERE token_hash = ?`, [tokenHash])

export const findInviteById = (reader: Reader, id: string): Promise<OwnerInviteRow | undefined> =>
  reader.get<OwnerInviteRow>(`SELECT ${columns} FROM owner_invites WHERE invite_id = ?`, [id])

/** The one that no other has taken the place of. */
export const findNewestInvite = (reader: Reader, requestId: string): Promise<OwnerInviteRow | undefined> =>
  reader.get<OwnerInviteRow>(`SELECT ${columns} FROM owner_invites WHERE request_id = ? AND ended_at IS NULL`, [
    requestId,
  ])

export const listNewestInvites = async (
  reader: Reader,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, OwnerInviteRow>> => {
  if (requestIds.length === 0) return new Map()
  const rows = await reader.all<OwnerInviteRow>(
    `SELECT ${columns} FROM owner_invites WHERE ended_at IS NULL AND request_id IN (${requestIds.map(() => '?').join(', ')})`,
    [...requestIds],
  )
  return new Map(rows.map((row) => [row.requestId, row]))
}

/** Ends the one that works, if any, and adds another. Call with the request locked. */
export const replaceInvite = async (tx: Tx, invite: OwnerInviteRow & { readonly tokenHash: string }): Promise<void> => {
  await tx.run('UPDATE owner_invites SET ended_at = ? WHERE request_id = ? AND ended_at IS NULL', [
    invite.createdAt,
    invite.requestId,
  ])
  await tx.run(
    `INSERT INTO owner_invites (invite_id, request_id, token_hash, origin, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
    [invite.id, invite.requestId, invite.tokenHash, invite.origin, invite.createdAt, invite.expiresAt],
  )
}

/** How many of an origin were made for a request after `since`. */
export const countInvites = async (
  reader: Reader,
  requestId: string,
  origin: OwnerInviteRow['origin'],
  since: number,
): Promise<number> => {
  const row = await reader.get<{ n: number }>(
    'SELECT count(*) AS n FROM owner_invites WHERE request_id = ? AND origin = ? AND created_at > ?',
    [requestId, origin, since],
  )
  return row?.n ?? 0
}
