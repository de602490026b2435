import type { SessionPlace } from '../../../kernel/audit/audit.records.store.ts'
import type { Reader } from '../../../platform/db/types.ts'
import { columns } from './evidence.store.ts'
import type { EvidenceRow } from './evidence.types.ts'

/** Rows of a session in the order of storing, tombstones included. */
export const listRecordRows = (
  reader: Reader,
  { orgId, sessionId }: SessionPlace,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<EvidenceRow[]> =>
  reader.all<EvidenceRow>(
    `SELECT ${columns} FROM evidence WHERE org_id = ? AND session_id = ? AND position > ? ORDER BY position LIMIT ?`,
    [orgId, sessionId, after, limit],
  )

/** Rows that say that they were erased. */
export const countTombstones = async (reader: Reader, { orgId, sessionId }: SessionPlace): Promise<number> =>
  (
    await reader.get<{ n: number }>(
      'SELECT count(*) AS n FROM evidence WHERE org_id = ? AND session_id = ? AND erased_at IS NOT NULL',
      [orgId, sessionId],
    )
  )?.n ?? 0
