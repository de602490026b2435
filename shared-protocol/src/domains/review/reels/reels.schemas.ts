import * as z from 'zod'
import { freeObject, id, instant, sha256Hex } from '../../../core/primitives.ts'
import { gapReason, laneName } from '../../interviews/lanes/lanes.registry.ts'
import { shownAid } from '../../interviews/sessions/sessions.aids.ts'
import { anchor } from '../notes/notes.schemas.ts'
import { type AccountState, accountStates } from '../reports/account.schemas.ts'
import { annotationMeanings, momentRuleName, shownBaseRate } from '../reports/coverage.schemas.ts'
import { reportStatement } from '../reports/reports.schemas.ts'
import { speakerSayers, speakers } from '../transcripts/transcripts.endpoints.ts'

export const reelMediaType = 'application/vnd.integrity.reel'

/** `full`: the bytes as they were taken in; `small`: the small picture of each; `levels`: how loud each is. */
const reelSizes = ['full', 'small', 'levels'] as const
export type ReelSize = (typeof reelSizes)[number]

export const reelLimits = {
  /** The bytes of its items together, and so the largest of them. */
  bytes: 8 * 1024 * 1024,
  /** Items of one reel, unless more were recorded at one instant. */
  items: 1024,
  /** The largest head, in bytes. */
  headBytes: 1024,
} as const

const minuteMs = 60_000
const sounds: readonly string[] = ['microphone', 'system_audio']

/** A reel ends after so much time, milliseconds: ten minutes of sound, small pictures and levels, one of pictures and clips. */
export const reelSpanMs = (source: string, size: ReelSize): number =>
  size === 'full' && !sounds.includes(source) ? minuteMs : 10 * minuteMs

/** A reel index names so many items, and so many stretches of speech. */
export const reelIndexLimits = { items: 20_000, speech: 10_000 } as const

const sessionMs = z.number().int().meta({ description: 'milliseconds since the session started' })
/** Where a reel may be asked for, milliseconds since the session started. */
export const reelPlaces = { least: -86_400_000, most: 31 * 86_400_000 } as const
const askedMs = z.coerce.number().int().min(reelPlaces.least).max(reelPlaces.most)

export const reelQuery = z
  .object({
    from: askedMs.optional().meta({
      description: 'milliseconds since the session started, inclusive; the first item unless given',
    }),
    to: askedMs.optional().meta({ description: 'milliseconds since the session started, exclusive' }),
    size: z.enum(reelSizes).default('full').meta({
      description:
        '`small`: a WebP of at most 160 pixels a side; `levels`: a byte for 100 ms, 0 is −90 dBFS, 255 is 0 dBFS',
    }),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['from'],
    message: 'must not be after to',
  })

/**
 * Why a frame has no bytes. `erased`: its content was erased. `withheld`: what is stored is not what was taken in, or cannot be
 * opened. `too_large`: fetch it by its id. `not_made`: there is no small picture of it, or there are no levels. `being_made`: the
 * service makes them; ask again in a few seconds.
 */
const reelAbsences = ['erased', 'withheld', 'too_large', 'not_made', 'being_made'] as const
export type ReelAbsence = (typeof reelAbsences)[number]

/** The head of a frame of a reel. Type and hash are the item's own, whatever size was asked for. */
const reelHead = z.object({
  id: id('evd'),
  atMs: sessionMs,
  durationMs: z.number().int().nullable(),
  contentType: z.string(),
  sha256: sha256Hex,
  absent: z.enum(reelAbsences).optional().meta({ description: 'why the frame has no bytes' }),
})
export type ReelHead = z.output<typeof reelHead>

/** The head of the last frame, which has no bytes. */
export const reelEnd = z.object({
  nextMs: z.number().int().nullable().meta({ description: 'the `from` of the next reel; null: there is nothing more' }),
})

const column = <T extends z.ZodType>(of: T) => z.array(of)

const stretch = z
  .tuple([
    sessionMs,
    sessionMs,
    z.enum(Object.keys(accountStates) as [AccountState, ...AccountState[]]),
    gapReason.nullable(),
    z.boolean(),
  ])
  .meta({ description: 'from, to, state, reason, and whether an object is stored that shows this time' })

/** What is kept of a source, in the order in which it is played: the nth value of each column is of the nth item. */
const items = z.object({
  id: column(id('evd')),
  atMs: column(sessionMs),
  durationMs: column(z.number().int().nullable()),
  sizeBytes: column(z.number().int()),
  contentType: column(z.string()),
  levels: column(z.boolean())
    .nullable()
    .meta({ description: 'whether the levels of each can be read; null where those of none can' }),
})

const source = z.object({
  source: z.string().meta({
    description:
      'as evidence has it, which is what a reel is asked for by; or `transcript`, which has words and no items',
  }),
  lane: laneName,
  label: z.string(),
  account: z.array(stretch).meta({ description: 'in order of time, without overlap or hole' }),
  items: items.optional().meta({ description: 'absent without the permission evidence.view' }),
})

/** Of a person of the organisation; its keys are told what they were alone. */
const author = z.object({ name: z.string().optional(), role: z.string() })

const moment = z.object({
  id: id('mom'),
  atMs: sessionMs,
  untilMs: sessionMs.nullable(),
  rule: momentRuleName,
  title: z.string(),
  lanes: z.array(laneName),
  reading: freeObject,
  atStart: freeObject.nullable(),
  baseRate: shownBaseRate,
  annotations: z.array(
    z.object({ id: id('ann'), meaning: z.enum(annotationMeanings), text: z.string(), author, createdAt: instant }),
  ),
})

const speech = z.object({
  atMs: column(sessionMs),
  untilMs: column(sessionMs),
  speaker: column(z.enum(speakers)),
  speakerSaidBy: z.enum(speakerSayers).meta({ description: 'who says which speaker it was, of every row' }),
  text: column(z.string()),
})

/** Everything that a player needs of an interview but the bytes. Columns, as rows of the same shape take several times as much. */
export const reelIndex = z
  .object({
    sessionId: id('ses'),
    startedAt: instant.nullable(),
    endedAt: instant.nullable(),
    sources: z.array(source),
    moments: z.array(moment),
    aids: z.array(shownAid),
    notes: z.array(
      z.object({ id: id('not'), text: z.string(), anchor: anchor.nullable(), author, createdAt: instant }),
    ),
    statements: z.array(reportStatement),
    speech: speech.optional().meta({ description: 'absent without the permission evidence.view' }),
    complete: z.boolean().meta({
      description: `false where there are more than ${reelIndexLimits.items} items or ${reelIndexLimits.speech} stretches of speech; the others are in the lists`,
    }),
  })
  .meta({ id: 'ReelIndex' })
