import type { EvidenceType } from '@integrity/protocol'

export interface EvidenceRow {
  readonly id: string
  readonly sessionId: string
  readonly evidenceType: EvidenceType
  /** Dense from 1 within the session, in the order of storing. */
  readonly position: number
  /** The same among those of its type. */
  readonly typePosition: number
  readonly clientId: string
  readonly objectId: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly contentType: string
  readonly capturedAt: number
  readonly durationMs: number | null
  /** JSON. */
  readonly metadata: string
  readonly createdAt: number
  readonly erasedAt: number | null
}
