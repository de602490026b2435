import type { EvidenceType } from '@integrity/protocol'
import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Reader } from '../../../platform/db/types.ts'

/** An item as it is served, with the signature that it came with. */
export interface CaptureLink {
  readonly evidenceId: string
  readonly evidenceType: EvidenceType
  readonly sha256: string
  readonly capturedAt: number
  readonly durationMs: number | null
  readonly key: string
  readonly sequence: number
  readonly previous: string
  readonly signature: string
  /** 1, or 0 where it was no signature of this item by a key of the session. */
  readonly verified: number
}

/** After this one in the order of keys and their sequences; items that claim one place are beside each other. */
export const listCaptureLinks = (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  { after, limit }: { readonly after: CaptureLink | undefined; readonly limit: number },
): Promise<CaptureLink[]> =>
  reader.all<CaptureLink>(
    `SELECT evidence_id AS "evidenceId", evidence_type AS "evidenceType", sha256, captured_at AS "capturedAt",
       duration_ms AS "durationMs", signing_key AS key, signing_sequence AS sequence, signing_previous AS previous,
       signing_signature AS signature, signing_verified AS verified
     FROM evidence WHERE org_id = ? AND environment = ? AND session_id = ? AND signing_key IS NOT NULL
       AND (signing_key, signing_sequence, evidence_id) > (?, ?, ?)
     ORDER BY signing_key, signing_sequence, evidence_id LIMIT ?`,
    [scope.orgId, scope.environment, sessionId, after?.key ?? '', after?.sequence ?? 0, after?.evidenceId ?? '', limit],
  )
