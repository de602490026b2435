import type { EvidenceType } from '@integrity/protocol'

/** The signature that an item came with; null where the machine did not sign. */
export interface Signing {
  readonly signingKey: string | null
  readonly signingSequence: number | null
  readonly signingPrevious: string | null
  readonly signingSignature: string | null
  /** 1, or 0 where it was no signature of this item by a key of the session. */
  readonly signingVerified: number | null
}

export interface EvidenceRow extends Signing {
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
