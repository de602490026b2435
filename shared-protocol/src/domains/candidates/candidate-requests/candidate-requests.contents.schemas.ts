import * as z from 'zod'
import { id, instant } from '../../../core/primitives.ts'
import { gapReason, laneName } from '../../interviews/lanes/lanes.registry.ts'
import { evidenceType } from '../../recording/evidence/evidence.schemas.ts'
import { moment } from '../../review/reports/coverage.schemas.ts'

export const contentsBody = z.object({
  requestId: z.string().min(1).max(64),
  after: z.number().int().min(0).default(0).meta({ description: '`next` of the page before' }),
})
/** How many objects a page of what is kept has. */
export const contentsPageItems = 24

const keptItem = z.object({
  id: id('evd'),
  evidenceType,
  contentType: z.string(),
  capturedAt: instant,
  durationMs: z.number().int().nullable(),
  sizeBytes: z.number().int(),
  erasedAt: instant.nullable(),
  download: z
    .object({ url: z.string(), expiresAt: instant })
    .nullable()
    .meta({ description: 'null once it was erased' }),
})

/** Who opens something. People are counted by what they are, never named. */
export const openers = ['candidate', 'organisation', 'program', 'link', 'service'] as const
/** What is opened; `live`: the interview while it went on. */
export const openedThings = [
  'recording',
  'facts',
  'film',
  'session',
  'report',
  'bundle',
  'copy',
  'link',
  'live',
] as const

export const contents = z
  .object({
    items: z.array(keptItem).meta({ description: 'in the order of storing' }),
    next: z.number().int().nullable().meta({ description: '`after` of the next page; null: this is the last one' }),
    overview: z
      .object({
        lanes: z.array(
          z.object({
            lane: laneName,
            declined: z.boolean(),
            expectedSeconds: z.number(),
            observedSeconds: z.number().meta({ description: 'for which a device reported that it recorded' }),
            heldSeconds: z.number().nullable().meta({
              description: 'of these, for which a recording is stored; null: of words there is no recording',
            }),
            gaps: z.array(z.object({ fromAt: instant, toAt: instant, reason: gapReason })),
          }),
        ),
        opened: z
          .array(
            z.object({
              by: z.enum(openers),
              thing: z.enum(openedThings),
              times: z.number().int(),
              firstAt: instant,
              lastAt: instant,
            }),
          )
          .meta({
            description:
              'who opened what, by day (UTC), newest first; of `live` each stretch of minutes by one person stands by itself, and `times` are minutes',
          }),
        openedSince: instant
          .nullable()
          .meta({ description: 'where there is more than is listed: older openings than this are left out' }),
      })
      .nullable()
      .meta({ description: 'on the first page only' }),
  })
  .meta({ id: 'CandidateContents' })

export const momentsBody = z.object({
  after: z.number().int().min(0).default(0).meta({ description: '`next` of the page before' }),
})
/** How many moments a page of them has. */
export const momentsPageItems = 50

/** A moment as its candidate sees it: as the report gives it, without what was read then and without what reviewers wrote. */
const ownMoment = moment
  .pick({
    id: true,
    at: true,
    untilAt: true,
    rule: true,
    title: true,
    lanes: true,
    commonReasons: true,
    baseRate: true,
  })
  .extend({
    statements: z
      .array(z.object({ requestId: id('crr'), at: instant, text: z.string(), readAt: instant.nullable() }))
      .meta({ description: 'what the candidate wrote about this moment, oldest first' }),
  })
  .meta({ id: 'OwnMoment' })

export const ownMoments = z
  .object({
    notYet: z.boolean().meta({ description: 'true: the interview has not ended, and no moment of it is named before' }),
    items: z.array(ownMoment).meta({ description: 'in the order of time; none once the interview was erased' }),
    next: z.number().int().nullable().meta({ description: '`after` of the next page; null: this is the last one' }),
  })
  .meta({ id: 'OwnMoments' })
