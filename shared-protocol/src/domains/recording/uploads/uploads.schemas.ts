import * as z from 'zod'
import { clientId, freeData, id, instant, sha256Hex } from '../../../core/primitives.ts'
import { captureSignature } from '../../interviews/capture-keys/capture-keys.schemas.ts'
import { evidence, evidenceType } from '../evidence/evidence.schemas.ts'

const MiB = 1024 * 1024
export const partSizes = { min: 1 * MiB, byDefault: 4 * MiB, max: 16 * MiB } as const

const begin = z.object({
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
  durationMs: z
    .number()
    .int()
    .min(1)
    .max(86_400_000)
    .optional()
    .meta({
      description:
        'length of what is played; a system-audio chunk needs it. Where it is not told, or far less than the container ' +
        'says, and the machine signs nothing, what the container says is stored',
    }),
  codec: z
    .string()
    .min(1)
    .max(50)
    .optional()
    .meta({ description: 'such as opus; a system-audio chunk needs it, here or in `metadata`' }),
  partSize: z
    .number()
    .int()
    .min(partSizes.min)
    .max(partSizes.max)
    .multipleOf(65_536)
    .optional()
    .meta({ description: 'bytes of each part but the last; 4 MiB where it is not named' }),
  metadata: freeData.optional(),
  captureSignature: captureSignature.optional(),
})

const isCodec = (value: unknown): boolean => typeof value === 'string' && value.length >= 1 && value.length <= 50

/** Chunks of sound are played one after the other: who lists them needs the length and the codec of each. */
const isPlayable = (context: z.core.ParsePayload<z.output<typeof begin>>): void => {
  const { evidenceType: type, durationMs, codec, metadata } = context.value
  if (type !== 'system_audio_chunk') return
  const missing = (name: string) =>
    context.issues.push({
      code: 'custom',
      input: context.value,
      path: [name],
      message: 'is required of a system-audio chunk',
    })
  if (durationMs === undefined) missing('durationMs')
  if (codec === undefined && !isCodec(metadata?.['codec'])) missing('codec')
}

export const uploadBegin = begin.check(isPlayable)
export const systemAudioBegin = begin
  .extend({ evidenceType: z.literal('system_audio_chunk').default('system_audio_chunk') })
  .check(isPlayable)
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
