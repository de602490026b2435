import * as z from 'zod'
import { freeObject, id, instant } from '../../../core/primitives.ts'
import { gapReason, laneName } from '../../interviews/lanes/lanes.registry.ts'
import { shownAid } from '../../interviews/sessions/sessions.aids.ts'
import { capability } from '../../interviews/sessions/sessions.schemas.ts'
import { captureChainSummary } from '../../recording/evidence/evidence.chain.schemas.ts'
import { evidenceType } from '../../recording/evidence/evidence.schemas.ts'
import { accounted } from './account.schemas.ts'

export const reportStatus = z.enum(['draft', 'signed_off', 'stale'])

/** What can come after a sign-off. */
export const changeCauses = ['evidence', 'note', 'annotation', 'statement', 'erasure'] as const
export type ChangeCause = (typeof changeCauses)[number]

export const inventoryRow = z.object({
  evidenceType,
  objects: z.number().int(),
  sizeBytes: z.number().int(),
  erasedObjects: z.number().int(),
})
export const gap = z.object({
  fromAt: instant,
  toAt: instant,
  seconds: z.number(),
  reason: gapReason,
  displayId: z.string().nullable(),
})
/**
 * What was captured of a lane, by its account: expected is observed and the gaps of the account, to the millisecond. A
 * declined lane is shown as declined, never as a gap. `side_view` is counted from what the phone says of itself, while the
 * session is live, the policy asks for it and its consent stands, until the phone is let go; three intervals without a word
 * are a gap. `room_camera` is counted from the pictures that came. Erasing a session removes the phone's words and every
 * object, and with them what was counted from them.
 */
export const laneCoverage = z
  .object({
    lane: laneName,
    enabled: z.boolean(),
    declined: z.boolean(),
    expected: z
      .number()
      .meta({ description: 'seconds the lane should have delivered; `expectedMs`, rounded to tenths' }),
    observed: z.number().meta({
      description: 'seconds for which samples were seen, as the sender reported; `observedMs`, rounded to tenths',
    }),
    ...accounted,
    sentence: z.string().meta({ description: 'what was reported and what is held, in words' }),
    objects: z.number().int().meta({ description: 'evidence objects stored for the lane' }),
    displays: z.array(z.object({ displayId: z.string(), expected: z.number(), observed: z.number(), ...accounted })),
    gaps: z.array(gap).meta({
      description:
        'every stretch without anything, pauses too, which are not expected; those of a display where they say more than those of the lane',
    }),
  })
  .meta({ id: 'LaneCoverage' })
export const note = z.object({ id: z.string(), authorRole: z.string(), text: z.string(), createdAt: instant })

/** The moment that a candidate writes about. It stays named where no rule finds it any more. */
export const statedMoment = z
  .object({ id: id('mom'), at: instant.meta({ description: 'when the moment was' }) })
  .meta({ id: 'StatedMoment' })

/** What the candidate wrote for whoever reviews the session. */
export const reportStatement = z
  .object({
    at: instant.meta({ description: 'when it was written' }),
    text: z.string().nullable().meta({ description: 'null once it was erased with the session' }),
    readAt: instant.nullable().meta({ description: 'marked as read then; null: not yet' }),
    moment: statedMoment.nullable().meta({ description: 'null: it is about the whole interview' }),
  })
  .meta({ id: 'ReportStatement' })

/** What an observer found as observing began. It is a state and no event. */
export const stateAtStart = z.object({ kind: z.string(), data: freeObject }).meta({ id: 'StateAtStart' })

export const report = z
  .object({
    sessionId: id('ses'),
    revision: z.number().int(),
    status: reportStatus,
    staleness: z
      .object({ at: instant, cause: z.enum(changeCauses) })
      .nullable()
      .meta({ description: 'what came first after the sign-off; null: nothing did, or there is no sign-off' }),
    durationMs: z.number().int(),
    signalTotal: z.number().int(),
    signalsByKind: z.record(z.string(), z.number().int()).meta({
      description: 'what happened in the session; what was so before is in `atStart`',
    }),
    atStart: z.array(stateAtStart),
    inventoryObjects: z.number().int(),
    inventory: z.array(inventoryRow),
    coverage: z.array(laneCoverage),
    captureChain: captureChainSummary.meta({ description: 'what the machine signed of it; a bundle proves it' }),
    statements: z.array(reportStatement).meta({ description: "the candidate's words, oldest first" }),
    aids: z
      .array(shownAid)
      .meta({ description: 'what the candidate declared; the words are those of the candidate’s page, in English' }),
    notes: z.array(note),
    capabilities: z.array(capability),
    generatedAt: instant,
  })
  .meta({ id: 'Report' })
