import type { EvidenceSender, EvidenceSource, EvidenceType } from '@integrity/protocol'
import type { CaptureSignature } from '../../interviews/capture-keys/capture-keys.service.ts'

/** What is said of one item of evidence, however its bytes come. */
export interface Item {
  readonly evidenceType: EvidenceType
  readonly clientId: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly contentType: string
  /** Epoch milliseconds. */
  readonly capturedAt: number
  readonly durationMs: number | null
  /** Kept as it is. Of a picture that came whole, `width` and `height` are its pixels. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** The machine's, where it signs. */
  readonly captureSignature?: CaptureSignature | undefined
}

/** Sealed bytes that are in the store, durably, and have no row yet. */
export interface StoredBytes {
  readonly storeKey: string
  readonly header: string
}

/** The stored bytes of an item in an object that holds several, and what belongs to it there. */
export interface PackedBytes extends StoredBytes {
  readonly packId: string
  readonly smallPlace: string | null
  readonly levelsPlace: string | null
}

/** The signature that an item came with; null where the machine did not sign. */
export interface Signing {
  readonly signingKey: string | null
  readonly signingSequence: number | null
  readonly signingPrevious: string | null
  readonly signingSignature: string | null
  /** 1, or 0 where it was no signature of this item by a key of the session. */
  readonly signingVerified: number | null
}

/** What recorded an object and who sent it; null in a row that is older than these columns. */
export interface Origin {
  readonly source: EvidenceSource | null
  readonly sentBy: EvidenceSender | null
}

/** Where an object stands among those of its type. */
export interface PlayPlace {
  /** As its sender numbered it; -1 where it did not, or gave a number twice. */
  readonly sequence: number
  /** Set where it is played at another time than its date says, so that the numbers are in order. Epoch milliseconds. */
  readonly playedAt: number | null
}

/** An item that was stored, as its row has it. */
export interface EvidenceRow extends Omit<Item, 'metadata' | 'captureSignature'>, Signing, Origin, PlayPlace {
  readonly id: string
  readonly sessionId: string
  /** Dense from 1 within the session, in the order of storing. */
  readonly position: number
  /** The same among those of its type. */
  readonly typePosition: number
  readonly objectId: string
  /** JSON. */
  readonly metadata: string
  /** 1 or 0 where its picture or sound was decoded before it was stored; null: nobody had tried. */
  readonly decodable: number | null
  /** The same of whoever looked at it since. */
  readonly seenDecodable: number | null
  readonly createdAt: number
  readonly erasedAt: number | null
}
