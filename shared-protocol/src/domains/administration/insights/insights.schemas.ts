import * as z from 'zod'
import { boundedPeriod } from '../../../core/period.ts'
import { instant } from '../../../core/primitives.ts'
import { type SessionState, sessionStates } from '../../interviews/sessions/sessions.schemas.ts'

const count = z.number().int().min(0)

const inEachState = <T>(value: T) =>
  Object.fromEntries(sessionStates.map((state) => [state, value])) as Record<SessionState, T>

/** What an organisation does for the first time, in the order in which most do it. */
export const milestoneNames = [
  'organisation_created',
  'first_colleague_joined',
  'first_sandbox_session',
  'first_session_scheduled',
  'first_invitation_sent',
  'first_session_started',
  'first_session_ended',
  'first_review_completed',
] as const

export const funnelStages = [...sessionStates, 'reviewed'] as const

export const insightsQuery = boundedPeriod('the days counted')

const sinceOpened = 'milliseconds from when a review was opened (the last time) to when it was completed'

export const insights = z
  .object({
    milestones: z
      .array(z.object({ name: z.enum(milestoneNames), at: instant.nullable() }))
      .meta({ description: 'when something was done for the first time, ever; null: not yet' }),
    funnel: z
      .array(z.object({ stage: z.enum(funnelStages), sessions: count }))
      .meta({ description: 'sessions that came to each stage in the time' }),
    invitations: z
      .object({ sent: count, opened: count, accepted: count, declined: count, expired: count })
      .meta({ description: 'of the candidates invited in the time, what has become by now' }),
    reviews: z.object({
      completed: count.meta({ description: 'in the time' }),
      openNow: count,
      oldestOpenAt: instant.nullable(),
      turnaroundMedianMs: count
        .nullable()
        .meta({ description: `${sinceOpened}; null: none was completed in the time` }),
      turnaroundP90Ms: count.nullable(),
    }),
    daily: z
      .array(z.object({ date: z.iso.date(), ...inEachState(count) }))
      .meta({ description: 'every day of the time asked for, in UTC' }),
  })
  .meta({
    id: 'Insights',
    description: "an organisation's own work in the live environment; of the queue, never of a person",
  })
