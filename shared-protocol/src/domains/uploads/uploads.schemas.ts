import * as z from 'zod'
import { clientId, freeData, id, instant, sha256Hex } from '../../core/primitives.ts'
import { evidence, evidenceType } from '../evidence/evidence.schemas.ts'

const MiB = 1024 * 1024
export const partSizes = { min: 1 * MiB, byDefault: 4 * MiB, max: 16 * MiB } as const

export const uploadBegin = z.object({
  clientId,
  evidenceType,
  sizeBytes: z
    .number()
    .int()
    .min(1)
    .max(2048 * MiB),
  sha256: sha256Hex,
  contentType: z.string().max(100),
  capturedAt: instant,
  durationMs: z.number().int().min(1).max(86_400_000).optional(),
  partSize: z
    .number()
    .int()
    .min(partSizes.min)
    .max(partSizes.max)
    .multipleOf(65_536)
    .optional()
    .meta({ description: 'bytes of each part but the last; 4 MiB where it is not named' }),
  metadata: freeData.optional(),
})
export const uploadBegun = z.union([
  z.object({
    uploadId: id('upl'),
    partSize: z.number().int(),
    partCount: z.number().int(),
    receivedParts: z.array(z.number().int()),
    expiresAt: instant,
  }),
  z.object({ deduplicated: z.literal(true), evidence }),
])
export const partMeta = z.object({ index: z.coerce.number().int().min(0).max(100_000), sha256: sha256Hex })
export const uploadState = z.enum(['open', 'completed', 'aborted'])
export const uploadStatus = z.object({
  uploadId: id('upl'),
  state: uploadState,
  partSize: z.number().int(),
  partCount: z.number().int(),
  receivedParts: z.array(z.number().int()),
  missingParts: z.array(z.number().int()),
  expiresAt: instant,
})
