import type { EvidenceType } from '@integrity/protocol'
import type { Scope } from '../../kernel/identity/scope.ts'
import type { Reader } from '../../platform/db/types.ts'

/** When an item was captured, and what may tell by what. */
export interface CapturedRow {
  readonly evidenceType: EvidenceType
  readonly capturedAt: number
  readonly durationMs: number | null
  /** JSON, where it may tell what captured the item. */
  readonly metadata: string | null
  readonly erasedAt: number | null
}

/** Every item of a session, tombstones too, in no order. The caller has found the session in this scope. */
export const listCaptured = (reader: Reader, scope: Scope, sessionId: string): Promise<CapturedRow[]> =>
  reader.all<CapturedRow>(
    `SELECT evidence_type AS "evidenceType", captured_at AS "capturedAt", duration_ms AS "durationMs",
       CASE WHEN evidence_type IN ('screenshot', 'screen_clip', 'camera_frame') THEN metadata END AS metadata,
       erased_at AS "erasedAt"
     FROM evidence WHERE org_id = ? AND environment = ? AND session_id = ?`,
    [scope.orgId, scope.environment, sessionId],
  )
