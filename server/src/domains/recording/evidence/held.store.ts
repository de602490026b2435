import type { EvidenceSource, EvidenceType, LaneName } from '@integrity/protocol'
import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Reader } from '../../../platform/db/types.ts'
import type { EvidenceRow } from './evidence.types.ts'

/** An object that is there: what recorded it, when (epoch milliseconds), and how long it plays. */
export interface HeldObject {
  readonly source: EvidenceSource
  readonly lane: LaneName
  readonly evidenceType: EvidenceType
  readonly capturedAt: number
  readonly durationMs: number | null
}

type Unnamed = Omit<HeldObject, 'lane' | 'source'> & { readonly source: EvidenceSource | null }

const facts = 'source, evidence_type AS "evidenceType", captured_at AS "capturedAt", duration_ms AS "durationMs"'
const ofSession = `FROM evidence WHERE org_id = ? AND session_id = ? AND erased_at IS NULL
  ORDER BY evidence_type, captured_at, position`

/** What is not erased, each type in the order of capture; from the index alone. Rows from before the column have no source. */
export const listHeld = (reader: Reader, scope: Scope, sessionId: string): Promise<Unnamed[]> =>
  reader.all<Unnamed>(`SELECT ${facts} ${ofSession}`, [scope.orgId, sessionId])

/** The same with what tells the source of such rows, which is in the rows themselves. */
export const listHeldInFull = (reader: Reader, scope: Scope, sessionId: string) =>
  reader.all<Unnamed & Pick<EvidenceRow, 'metadata' | 'sentBy'>>(
    `SELECT ${facts}, metadata, sent_by AS "sentBy" ${ofSession}`,
    [scope.orgId, sessionId],
  )

/** Every row that came from a room, tombstones included. */
export const countRooms = async (reader: Reader, scope: Scope, sessionId: string): Promise<number> => {
  const row = await reader.get<{ n: number }>(
    `SELECT count(*) AS n FROM evidence WHERE org_id = ? AND environment = ? AND session_id = ? AND source = 'room_camera'`,
    [scope.orgId, scope.environment, sessionId],
  )
  return row?.n ?? 0
}
