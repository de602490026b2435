import * as z from 'zod'
import { freeObject, id, instant } from '../../../core/primitives.ts'
import { keptCaptureSignature } from '../../interviews/capture-keys/capture-keys.schemas.ts'
import { evidenceTypeNames } from '../../interviews/lanes/lanes.evidence.ts'
import { evidenceSenders } from './evidence.sources.ts'

export const evidenceType = z.enum(evidenceTypeNames)
export const evidenceSource = z
  .string()
  .regex(/^(screen(:[\s\S]{1,100})?|microphone|system_audio|camera|room_camera|side_view)$/)
  .meta({
    description:
      'what recorded it: `screen:` and the display as the agent named it (`screen` where it named none), `microphone`, ' +
      '`system_audio`, `camera`, `room_camera` or `side_view`',
  })
export const evidenceSender = z.enum(evidenceSenders).meta({ description: 'the device whose credential it came with' })
export const evidence = z
  .object({
    id: id('evd'),
    sessionId: id('ses'),
    evidenceType,
    source: evidenceSource,
    sentBy: evidenceSender,
    sizeBytes: z.number().int(),
    sha256: z.string(),
    contentType: z.string(),
    capturedAt: instant,
    durationMs: z.number().int().optional(),
    clientId: z.string(),
    decodable: z
      .boolean()
      .nullable()
      .meta({ description: 'whether its picture or sound could be decoded to its end; null: not tried yet' }),
    metadata: freeObject,
    createdAt: instant,
    erasedAt: instant.nullable(),
    captureSignature: keptCaptureSignature.nullable().meta({ description: 'null: not signed by the machine' }),
  })
  .meta({ id: 'Evidence' })
