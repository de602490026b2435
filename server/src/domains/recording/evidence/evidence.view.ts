import { sentByOf, sourceOf } from './evidence.source.model.ts'
import type { EvidenceRow, Signing } from './evidence.types.ts'

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

const iso = (ms: number): string => new Date(ms).toISOString()

const signatureView = (row: Signing) => {
  const { signingKey, signingSequence, signingPrevious, signingSignature, signingVerified } = row
  if (signingKey === null || signingSequence === null || signingPrevious === null || signingSignature === null)
    return null
  const signed = { key: signingKey, sequence: signingSequence, previous: signingPrevious, signature: signingSignature }
  return { ...signed, verified: signingVerified === 1 }
}

const decodableView = ({ decodable, seenDecodable }: EvidenceRow): boolean | null => {
  const told = seenDecodable ?? decodable
  return told === null ? null : told === 1
}

/** One shape for lists, single objects and the answers to uploads. A tombstone has `erasedAt` and no metadata. */
export const evidenceView = (row: EvidenceRow) => ({
  id: row.id,
  sessionId: row.sessionId,
  evidenceType: row.evidenceType,
  source: sourceOf(row),
  sentBy: sentByOf(row),
  sizeBytes: row.sizeBytes,
  sha256: row.sha256,
  contentType: row.contentType,
  capturedAt: iso(row.capturedAt),
  ...(row.durationMs === null ? {} : { durationMs: row.durationMs }),
  clientId: row.clientId,
  decodable: decodableView(row),
  metadata: JSON.parse(row.metadata) as Record<string, Json>,
  createdAt: iso(row.createdAt),
  erasedAt: row.erasedAt === null ? null : iso(row.erasedAt),
  captureSignature: signatureView(row),
})
