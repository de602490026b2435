import * as z from 'zod'
import { freeObject, id, instant } from '../../core/primitives.ts'
import { evidenceTypeNames } from './evidence.types.ts'

export const evidenceType = z.enum(evidenceTypeNames)
export const evidence = z
  .object({
    id: id('evd'),
    sessionId: id('ses'),
    evidenceType,
    sizeBytes: z.number().int(),
    sha256: z.string(),
    contentType: z.string(),
    capturedAt: instant,
    durationMs: z.number().int().optional(),
    clientId: z.string(),
    metadata: freeObject,
    createdAt: instant,
    erasedAt: instant.nullable(),
  })
  .meta({ id: 'Evidence' })
