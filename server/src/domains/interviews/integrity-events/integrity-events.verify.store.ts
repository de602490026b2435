import type { SessionPlace } from '../../../kernel/audit/audit.records.store.ts'
import type { Reader } from '../../../platform/db/types.ts'
import type { EventRow } from './integrity-events.store.ts'

/** The events that gaps and coverage are kept from, in the order in which they arrived. */
export const eventsOfLedger = (
  reader: Reader,
  { orgId, sessionId }: SessionPlace,
): Promise<Pick<EventRow, 'clientId' | 'kind' | 'observedAt' | 'data'>[]> =>
  reader.all(
    `SELECT client_id AS "clientId", kind, observed_at AS "observedAt", data FROM integrity_events
     WHERE org_id = ? AND session_id = ? AND kind IN ('lane.gap', 'lane.coverage') ORDER BY position`,
    [orgId, sessionId],
  )

/** Whether some batch of a session came before there were commitments. */
export const isAnyUncommitted = async (reader: Reader, { orgId, sessionId }: SessionPlace): Promise<boolean> =>
  (await reader.get(
    `SELECT 1 AS one FROM audit_log WHERE org_id = ? AND session_id = ? AND action = 'session.events_received'
       AND payload_hash IS NULL AND target NOT LIKE '%#none' LIMIT 1`,
    [orgId, sessionId],
  )) !== undefined
