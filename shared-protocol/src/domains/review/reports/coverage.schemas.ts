import * as z from 'zod'
import { freeObject, id, instant, listOf, paging } from '../../../core/primitives.ts'
import { gapReason, laneName } from '../../interviews/lanes/lanes.registry.ts'
import { captureChainSummary } from '../../recording/evidence/evidence.chain.schemas.ts'
import { momentAroundSeconds, momentEventsOfKind, momentRuleNames } from './moments.rules.ts'
import { laneCoverage, reportStatement } from './reports.schemas.ts'

export const momentRuleName = z.enum(momentRuleNames)
/** Base rates are shown of a policy with which at least so many interviews were held. */
export const baseRateSessions = 20
export const annotationMeanings = ['benign', 'needs_context'] as const

/** What a person of the organisation said of a moment; never changed. */
export const annotation = z
  .object({
    id: id('ann'),
    momentId: id('mom').nullable(),
    at: instant.nullable().meta({ description: 'null where what was captured was erased' }),
    meaning: z.enum(annotationMeanings),
    text: z.string(),
    author: z.object({ name: z.string(), role: z.string() }),
    createdAt: instant,
  })
  .meta({ id: 'Annotation' })

/** How often a rule found something in interviews of one policy: a fact about interviews, and about no person. */
export const baseRate = z
  .object({
    sessions: z.number().int().meta({ description: "the organisation's interviews with this policy" }),
    seenIn: z.number().int().meta({ description: 'in how many of these the rule found something' }),
  })
  .meta({ id: 'BaseRate' })

export const shownBaseRate = baseRate.nullable().meta({
  description: `of interviews that ended a day ago or longer and are not erased, by the same rule; null below ${baseRateSessions} interviews, without a policy, and where the organisation or the latest version of the policy has \`baseRates\` switched off`,
})

const recordedLane = z.object({
  lane: laneName,
  declined: z.boolean(),
  seconds: z.number().meta({ description: 'of the session around the moment' }),
  observed: z.number().meta({ description: 'seconds of these for which samples were seen' }),
  gaps: z.array(gapReason).meta({ description: 'why there is nothing for the others' }),
})

/** An instant that a published rule names. It says what was there, and judges nobody. */
export const moment = z
  .object({
    id: id('mom').meta({ description: 'follows from the session, the rule and the fact: it stays the same' }),
    at: instant,
    untilAt: instant.nullable().meta({ description: 'null where it has no end, or none was seen' }),
    rule: momentRuleName,
    title: z.string(),
    lanes: z.array(laneName).meta({
      description: 'the lanes that it is about; gaps of several lanes for one reason at one time are one moment',
    }),
    reading: freeObject.meta({ description: 'the raw reading' }),
    atStart: freeObject
      .nullable()
      .meta({ description: 'the facts at the start of observing, if the agent reported them' }),
    commonReasons: z.array(z.string()).meta({ description: 'why it happens to anybody' }),
    baseRate: shownBaseRate,
    recordedAround: z.array(recordedLane).meta({
      description: `what each lane recorded from ${momentAroundSeconds} seconds before to as long after it`,
    }),
    annotations: z.array(annotation).meta({ description: 'oldest first' }),
    statements: z
      .array(reportStatement)
      .meta({ description: 'what the candidate wrote about this moment, oldest first' }),
  })
  .meta({ id: 'Moment' })

const appliedRule = z.object({
  rule: momentRuleName,
  version: z.number().int(),
  text: z.string(),
  found: z.number().int().meta({ description: 'moments of this rule in the session' }),
  chosen: z.number().int().meta({ description: 'of these, how many are in this list' }),
  complete: z.boolean().meta({
    description: `false where more than ${momentEventsOfKind} of what it looks for were told; the others are on the timeline`,
  }),
  choice: z.string().nullable().meta({ description: 'how `minutes` chose; null without' }),
})

export const coverageQuery = z.object({
  ...paging,
  minutes: z.coerce
    .number()
    .int()
    .min(1)
    .max(240)
    .optional()
    .meta({ description: 'a budget of time: so many moments, chosen by rule and by distance; `rules` says how' }),
})

export const coverage = listOf(moment, {
  lanes: z.array(laneCoverage),
  annotations: z.array(annotation).meta({ description: 'those that name no moment of a rule, oldest first' }),
  captureChain: captureChainSummary.meta({
    description: 'what the machine signed of it; `portal.captureChain.get` says where the chain has a gap',
  }),
  rules: z.array(appliedRule).meta({ description: 'every published rule, whether or not it found something' }),
})
