import * as z from 'zod'
import { freeData } from '../../../core/primitives.ts'
import { clipMeta, soundMeta, stillMeta } from '../captures/captures.endpoints.ts'
import { evidence } from '../evidence/evidence.schemas.ts'

export const packMediaType = 'application/vnd.integrity.pack'

export const packLimits = {
  /** Items of one pack. */
  items: 64,
  /** The whole pack, heads and lengths with it. */
  bytes: 8 * 1024 * 1024,
  /** One head. */
  headBytes: 32 * 1024,
  /** A small picture. */
  smallBytes: 4096,
  /** Its width and its height, in pixels. */
  smallPixels: 160,
  /** Levels of one item: ten minutes. */
  levels: 6000,
} as const

const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4
const small = z
  .base64()
  .min(4)
  .max(base64Length(packLimits.smallBytes))
  .optional()
  .meta({ description: 'a WebP in base64, at most 160 pixels a side and 4 kB, for overviews' })
const levels = z
  .base64()
  .min(4)
  .max(base64Length(packLimits.levels))
  .optional()
  .meta({ description: 'in base64, one byte for 100 ms: 0 is −90 dBFS or less, 255 is 0 dBFS' })
const displayId = z.string().max(100).optional()
const metadata = freeData.optional()

/** The head of a frame: what the endpoint of one such item takes, and of which type it is. */
export const packItem = z.discriminatedUnion('evidenceType', [
  stillMeta.extend({ evidenceType: z.enum(['screenshot', 'camera_frame']), small }),
  soundMeta.extend({ evidenceType: z.enum(['audio_chunk', 'system_audio_chunk']), levels }),
  clipMeta.extend({
    evidenceType: z.enum(['screen_clip', 'camera_clip', 'side_view_clip']),
    displayId,
    metadata,
    small,
    levels,
  }),
])

export const packItemError = z.object({
  code: z.string(),
  message: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  retryAfterSeconds: z.number().int().optional().meta({ description: 'when to send this item again; absent: never' }),
})

/** What became of each item, in the order of the frames. */
export const packAnswer = z.object({
  items: z.array(
    z.object({
      clientId: z.string().nullable().meta({ description: 'null where the head has none that can be read' }),
      status: z.enum(['stored', 'known', 'refused']).meta({
        description: '`known`: it was here already; `refused`: see `error`, which says nothing of its neighbours',
      }),
      evidence: evidence.optional(),
      error: packItemError.optional(),
    }),
  ),
})
