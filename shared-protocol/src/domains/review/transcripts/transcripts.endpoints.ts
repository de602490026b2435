import * as z from 'zod'
import { agent, apiKey, user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { inOrder, periodOf } from '../../../core/period.ts'
import { freeObject, id, instant, listOf, paging } from '../../../core/primitives.ts'
import { gapReason, laneName } from '../../interviews/lanes/lanes.registry.ts'
import { evidenceSource } from '../../recording/evidence/evidence.schemas.ts'
import { sessionNote } from '../notes/notes.schemas.ts'
import { annotation, momentRuleName } from '../reports/coverage.schemas.ts'
import { statedMoment } from '../reports/reports.schemas.ts'

export const speakers = ['candidate', 'interviewer', 'unknown'] as const
/** Who says who speaks: nothing but the agent does yet. */
export const speakerSayers = ['agent'] as const
const sessionMs = z
  .number()
  .int()
  .min(0)
  .max(7 * 86_400_000)

export const transcriptSegmentInput = z
  .object({
    segmentId: z.string().min(1).max(64),
    sequence: z.number().int().min(0).max(10_000_000),
    speaker: z.enum(speakers),
    startMs: sessionMs.meta({ description: 'milliseconds since the session started' }),
    endMs: sessionMs.meta({
      description:
        'not after the end of the session, and while it runs at most five minutes ahead of the clock of the service',
    }),
    text: z.string().max(4000).meta({ description: 'half of a surrogate pair is stored as U+FFFD, the rest as it is' }),
    language: z.string().max(35).optional(),
    final: z.boolean(),
    confidence: z.number().min(0).max(1).optional(),
  })
  .refine((segment) => segment.endMs >= segment.startMs, { path: ['endMs'], message: 'must not be before startMs' })

export const transcriptSegment = z
  .object({
    id: id('seg'),
    segmentId: z.string(),
    sequence: z.number().int(),
    speaker: z.enum(speakers),
    speakerSaidBy: z
      .enum(speakerSayers)
      .meta({ description: 'who says that it was this speaker: the agent alone, and nobody has checked it' }),
    startMs: z.number(),
    endMs: z.number(),
    text: z.string(),
    language: z.string().nullable(),
    final: z.boolean(),
    confidence: z.number().nullable(),
    updatedAt: instant,
  })
  .meta({ id: 'TranscriptSegment' })
const transcriptQuery = inOrder(
  z.object({
    ...paging,
    ...periodOf('begins to be spoken'),
    since: z
      .string()
      .max(64)
      .optional()
      .meta({ description: 'cursor of an earlier answer: only what changed after it' }),
  }),
)
const transcriptPage = listOf(transcriptSegment, {
  gaps: z
    .array(z.object({ fromMs: z.number(), toMs: z.number() }))
    .meta({ description: 'stretches without sound or words' }),
  cursor: z.string(),
})

const speechTurn = z.object({ kind: z.literal('speech'), at: instant, segment: transcriptSegment })

/** What was recorded besides screenshots and speech. */
export const recordedKinds = ['camera_frame', 'screen_clip', 'camera_clip', 'side_view_clip'] as const
/** What is worked out of what was stored, or written beside it. */
export const derivedKinds = ['note', 'annotation', 'moment', 'gap'] as const
export const timelineKinds = ['speech', 'screenshot', 'event', 'statement', ...recordedKinds, ...derivedKinds] as const
export const timelineItem = z.discriminatedUnion('kind', [
  speechTurn,
  z.object({
    kind: z.literal('screenshot'),
    at: instant,
    evidence: z.object({ id: id('evd'), displayId: z.string().nullable() }),
  }),
  z.object({
    kind: z.literal('event'),
    at: instant,
    event: z.object({ id: id('obs'), kind: z.string(), source: z.string(), data: freeObject }),
  }),
  z.object({
    kind: z.literal('statement'),
    at: instant,
    statement: z.object({
      requestId: id('crr'),
      text: z.string(),
      readAt: instant.nullable(),
      moment: statedMoment.nullable(),
    }),
  }),
  z.object({
    kind: z.enum(recordedKinds),
    at: instant,
    evidence: z.object({ id: id('evd'), source: evidenceSource, durationMs: z.number().int().nullable() }),
  }),
  z.object({ kind: z.literal('note'), at: instant, note: sessionNote }),
  z.object({ kind: z.literal('annotation'), at: instant, annotation }),
  z.object({
    kind: z.literal('moment'),
    at: instant,
    moment: z.object({
      id: id('mom'),
      rule: momentRuleName,
      title: z.string(),
      lanes: z.array(laneName),
      untilAt: instant.nullable(),
    }),
  }),
  z.object({
    kind: z.literal('gap'),
    at: instant,
    gap: z.object({ source: z.string(), lane: laneName, reason: gapReason.nullable(), untilAt: instant }),
  }),
])

export const transcriptsEndpoints = [
  defineEndpoint({
    id: 'sessions.transcript',
    method: 'GET',
    path: '/v1/api/sessions/{id}/transcript',
    summary: 'The assembled transcript, ordered, gap-aware, pollable with `since`.',
    auth: [apiKey('sessions:read')],
    query: transcriptQuery,
    response: transcriptPage,
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'portal.transcript',
    method: 'GET',
    path: '/v1/sessions/{id}/transcript',
    summary: 'The assembled transcript, for members.',
    auth: [user('evidence.view')],
    sessionParam: 'id',
    query: transcriptQuery,
    response: transcriptPage,
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'agent.transcript.upsert',
    method: 'POST',
    path: '/v1/sessions/{id}/transcript',
    summary: 'Upsert transcript segments; a segment may be sent again as its words firm up.',
    auth: [agent],
    sessionParam: 'id',
    body: z.object({ segments: z.array(transcriptSegmentInput).min(1).max(500) }),
    maxBodyBytes: 9 * 1024 * 1024,
    maxBodyValues: 15_000,
    response: z.object({
      upserted: z.number().int(),
      leftOut: z.number().int().meta({ description: 'segments that were not kept' }),
      leftOutBecause: z.string().nullable().meta({ description: 'why, in words; null where none was left out' }),
    }),
    success: [200],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'portal.timeline',
    method: 'GET',
    path: '/v1/sessions/{id}/timeline',
    summary: 'Pictures, clips, speech, events, statements, notes, moments and gaps in the order they happened.',
    details:
      'A note stands where it points to, or when it was written. Notes, annotations, moments and gaps are for members with the ' +
      'permission `report.view`; without it the others are listed, and asking for one of these kinds is refused.',
    auth: [user('evidence.view')],
    sessionParam: 'id',
    query: inOrder(
      z.object({
        ...paging,
        ...periodOf('happened'),
        kind: z
          .enum([...timelineKinds, 'bookkeeping'])
          .optional()
          .meta({ description: '`bookkeeping`: events about the recording itself, which are left out otherwise' }),
      }),
    ),
    response: listOf(timelineItem),
    success: [200],
    effect: 'read',
  }),
] as const
