import * as z from 'zod'
import { freeObject, id, instant } from '../../core/primitives.ts'
import { keptCaptureSignature } from '../capture-keys/capture-keys.schemas.ts'
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
    captureSignature: keptCaptureSignature.nullable().meta({ description: 'null: not signed by the machine' }),
  })
  .meta({ id: 'Evidence' })
