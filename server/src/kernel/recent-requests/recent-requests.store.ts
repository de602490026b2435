import { padded } from '../../platform/db/padded-list.ts'
import type { ColumnSpec, Reader, Tx } from '../../platform/db/types.ts'

/** A request that one credential made. */
export interface RecentRequest {
  readonly orgId: string
  readonly credentialId: string
  /** Epoch milliseconds at which it was answered. */
  readonly at: number
  readonly requestId: string
  readonly method: string
  /** As the contract declares it: names of parameters, never their values. */
  readonly path: string
  readonly status: number
  readonly durationMs: number
  readonly errorCode: string | null
  readonly reason: string | null
}

const columns: readonly ColumnSpec[] = [
  { name: 'org_id', type: 'text' },
  { name: 'credential_id', type: 'text' },
  { name: 'at', type: 'bigint' },
  { name: 'request_id', type: 'text' },
  { name: 'method', type: 'text' },
  { name: 'path', type: 'text' },
  { name: 'status', type: 'bigint' },
  { name: 'duration_ms', type: 'bigint' },
  { name: 'error_code', type: 'text' },
  { name: 'reason', type: 'text' },
]
const useColumns: readonly ColumnSpec[] = [
  { name: 'org_id', type: 'text' },
  { name: 'credential_id', type: 'text' },
  { name: 'used_at', type: 'bigint' },
]

/** Writes requests of several organisations, which came to one process in the same moment. */
export const insertRequestsAcrossOrgs = async (tx: Tx, requests: readonly RecentRequest[]): Promise<void> => {
  const rows = requests.map((one) => [
    ...[one.orgId, one.credentialId, one.at, one.requestId, one.method, one.path],
    ...[one.status, one.durationMs, one.errorCode, one.reason],
  ])
  await tx.insertMany('recent_requests', columns, rows, {
    skipConflictsOn: ['org_id', 'credential_id', 'at', 'request_id'],
  })
}

interface Use {
  readonly orgId: string
  readonly credentialId: string
  readonly at: number
}

/** When credentials of several organisations were used last; of two processes the later one is right. */
export const noteUsesAcrossOrgs = async (tx: Tx, uses: readonly Use[]): Promise<void> => {
  const rows = uses.map(({ orgId, credentialId, at }) => [orgId, credentialId, at])
  await tx.insertMany('credential_uses', useColumns, rows, {
    upsert: {
      on: ['org_id', 'credential_id'],
      set: `used_at = CASE WHEN credential_uses.used_at > excluded.used_at THEN credential_uses.used_at
        ELSE excluded.used_at END`,
    },
  })
}

/** Leaves the newest of one credential. */
export const trimRequests = async (
  tx: Tx,
  { orgId, credentialId }: Pick<Use, 'orgId' | 'credentialId'>,
  most: number,
): Promise<void> => {
  const of = [orgId, credentialId]
  await tx.run(
    `DELETE FROM recent_requests WHERE org_id = ? AND credential_id = ? AND (at, request_id) <= (
       SELECT at, request_id FROM recent_requests WHERE org_id = ? AND credential_id = ?
       ORDER BY at DESC, request_id DESC LIMIT 1 OFFSET ?)`,
    [...of, ...of, most],
  )
}

/** Newest first. */
export const listRequests = (
  reader: Reader,
  { orgId, credentialId, since, limit }: Pick<Use, 'orgId' | 'credentialId'> & { since: number; limit: number },
): Promise<RecentRequest[]> =>
  reader.all(
    `SELECT org_id AS "orgId", credential_id AS "credentialId", at, request_id AS "requestId", method, path, status,
       duration_ms AS "durationMs", error_code AS "errorCode", reason
     FROM recent_requests WHERE org_id = ? AND credential_id = ? AND at > ? ORDER BY at DESC, request_id DESC LIMIT ?`,
    [orgId, credentialId, since, limit],
  )

/** When each of these credentials was used last, of those that ever were. */
export const listUses = (
  reader: Reader,
  orgId: string,
  credentialIds: readonly string[],
): Promise<{ credentialId: string; usedAt: number }[]> => {
  const { marks, values } = padded(credentialIds)
  return reader.all(
    `SELECT credential_id AS "credentialId", used_at AS "usedAt" FROM credential_uses
     WHERE org_id = ? AND credential_id IN (${marks})`,
    [orgId, ...values],
  )
}

/** Takes away what is older; answers how many rows. */
export const deleteOldRequestsOfAllOrgs = async (tx: Tx, before: number, limit: number): Promise<number> => {
  const { changes } = await tx.run(
    `DELETE FROM recent_requests WHERE (org_id, credential_id, at, request_id) IN (
       SELECT org_id, credential_id, at, request_id FROM recent_requests WHERE at < ? LIMIT ?)`,
    [before, limit],
  )
  return changes
}
