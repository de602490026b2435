import * as z from 'zod'
import { id, instant, sha256Hex } from '../../../core/primitives.ts'
import type { EvidenceType } from '../../interviews/lanes/lanes.evidence.ts'
import { evidenceType } from '../../recording/evidence/evidence.schemas.ts'

/** A finished render is kept for this long, then removed; it can be rendered again. */
export const compositionLifetimeDays = 7
export const compositionFrame = { width: 1280, height: 720, framesPerSecond: 10 } as const
/** What a film is made of. */
export const compositionInputTypes = [
  'screen_clip',
  'screenshot',
  'camera_clip',
  'camera_frame',
  'side_view_clip',
  'audio_chunk',
] as const satisfies readonly EvidenceType[]

export const compositionStatus = z
  .enum(['not_rendered', 'queued', 'rendering', 'ready', 'failed', 'expired', 'erased'])
  .meta({
    description:
      'of the render asked for last. not_rendered: nobody has asked yet; expired: it was kept for its lifetime and removed; erased: the evidence of the session was erased',
  })

const integrity = z.object({
  inputCount: z.number().int(),
  inputsSha256: sha256Hex.meta({
    description:
      'SHA-256 over one line `<sha256> <evidenceType> <evidenceId>\\n` for each input, ordered by capture time and id',
  }),
  command: z.string().meta({ description: 'the ffmpeg arguments of the encoder' }),
  ffmpegVersion: z.string(),
  outputSha256: sha256Hex,
})

/** What of a film's inputs could not be decoded, or not to its end: words stand in its place. */
const undecoded = z.object({
  evidenceId: id('evd'),
  atMs: z
    .number()
    .int()
    .min(0)
    .meta({ description: 'when it would have been shown or heard, from the start of the film' }),
  kind: z.enum(['still', 'clip', 'sound']),
})

/**
 * One picture-in-picture film for each session, rendered on demand. What describes the film (from `finishedAt` on) is
 * of the last finished one: it stays there, and can be downloaded, until a new render replaces it.
 */
export const composition = z
  .object({
    id: id('cmp'),
    sessionId: id('ses'),
    kind: z.literal('picture_in_picture'),
    status: compositionStatus,
    progress: z.number().min(0).max(1),
    stale: z.boolean().meta({ description: 'true when evidence came or went after the render; render again' }),
    requestedAt: instant.nullable(),
    startedAt: instant.nullable(),
    finishedAt: instant.nullable(),
    expiresAt: instant.nullable(),
    contentType: z.literal('video/mp4'),
    durationMs: z
      .number()
      .int()
      .nullable()
      .meta({ description: "from the session's start to its end; a film has at most 24 hours" }),
    width: z.number().int().nullable(),
    height: z.number().int().nullable(),
    sizeBytes: z.number().int().nullable(),
    integrity: integrity.nullable(),
    undecoded: z.array(undecoded).meta({
      description:
        'of the last finished film, ordered by time: what could not be decoded, or not all of it. The film says so where it would have been',
    }),
    failure: z.string().nullable().meta({ description: 'why the last render failed, in words' }),
  })
  .meta({ id: 'Composition' })

/** A single composition also lists what it was made of. */
export const compositionDetail = composition
  .extend({
    inputs: z.array(z.object({ evidenceId: id('evd'), evidenceType, sha256: sha256Hex, capturedAt: instant })),
  })
  .meta({ id: 'CompositionDetail' })
