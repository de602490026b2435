import * as z from 'zod'
import { environment, id, instant, listOf, oneLine, paging } from '../../../core/primitives.ts'
import { idFilter } from '../../../core/query-words.ts'

/** Where a review stands. Only people move it. */
export const reviewStates = ['open', 'in_review', 'waiting', 'completed'] as const
export type ReviewState = (typeof reviewStates)[number]

/**
 * What is there to review: a fact beside the state. `collecting`: the agent may still deliver. `changed`: something came after
 * somebody had taken it into review. `erased`: what was captured is gone.
 */
export const reviewReadiness = ['collecting', 'ready', 'changed', 'erased'] as const
export type ReviewReadiness = (typeof reviewReadiness)[number]

/** Moves that make sense; any other is a conflict. Completing also needs a sign-off that is not stale. */
export const reviewMoves: Readonly<Record<ReviewState, readonly ReviewState[]>> = {
  open: ['in_review'],
  in_review: ['open', 'waiting', 'completed'],
  waiting: ['open', 'in_review', 'completed'],
  completed: ['open'],
}

const reviewState = z.enum(reviewStates)
const readiness = z.enum(reviewReadiness)
const membershipId = id('mem')

export const review = z
  .object({
    id: id('rev'),
    sessionId: id('ses'),
    environment,
    state: reviewState,
    readiness,
    assignee: z.object({ membershipId, name: z.string() }).nullable(),
    endedAt: instant.meta({ description: 'when the session ended' }),
    openedAt: instant.meta({ description: 'when it came to the queue: the session had ended, or it was reopened' }),
    completedAt: instant.nullable(),
    waitingMs: z.number().int().min(0).meta({ description: 'from `openedAt` to its completion, or until now' }),
    session: z.object({ externalId: z.string().nullable(), candidateLabel: z.string().nullable() }),
  })
  .meta({ id: 'Review' })

export const reviewListQuery = z.object({
  ...paging,
  state: z
    .enum(['unfinished', ...reviewStates, 'all'])
    .default('unfinished')
    .meta({
      description:
        '`unfinished`: open, in review or waiting. Reviews of erased sessions are left out, but with `all`, `completed`, a `sessionId` or `readiness=erased`',
    }),
  assignee: z
    .string()
    .max(64)
    .regex(/^(none|mem_[\w-]+)$/, 'must be the id of a membership, which begins with mem_, or none')
    .optional()
    .meta({ description: 'the id of a membership; `none`: nobody has it' }),
  readiness: readiness.optional(),
  sessionId: idFilter('ses', 'a session').optional().meta({ description: 'the review of this session' }),
  environment: environment.optional(),
  sort: z.enum(['oldest', 'newest']).default('oldest').meta({ description: 'by `openedAt`' }),
})
const count = z.number().int().min(0)
const momentCount = count.nullable()
/** A review with what a queue shows beside it. */
export const reviewItem = review
  .extend({
    unreadStatements: count.meta({ description: "the candidate's own words that nobody has decided on" }),
    openRequests: count.meta({ description: 'what the candidate asked for and nobody has decided on' }),
    answerDueAt: instant.nullable().meta({ description: 'the earliest of what is due for these requests' }),
    moments: momentCount.meta({
      description:
        'moments worth opening. They are counted by a job, a day after the session has ended, and not while listing: null until then',
    }),
    deletionDueAt: instant.nullable().meta({
      description: 'the end of the window in force; null where it was erased or a hold keeps it',
    }),
    opened: z.object({
      moments: count.meta({
        description:
          'of which somebody has played the place, at full size and signed in: the access log says which seconds. None before moments are counted, which takes earlier looks in',
      }),
      ofMoments: momentCount,
    }),
  })
  .meta({ id: 'ReviewItem' })
export const reviewList = listOf(reviewItem)

/** Members who may sign off, by name. */
export const assigneeList = listOf(
  z
    .object({
      membershipId,
      name: z.string(),
      openReviews: z
        .number()
        .int()
        .min(0)
        .meta({ description: 'those they have that are not completed, without those of erased sessions' }),
    })
    .meta({ id: 'ReviewAssignee' }),
)

const expectedAssigneeId = membershipId.nullable().meta({
  description: 'who has it, as the caller has seen it; anything else is a conflict that names who has it',
})
export const reviewAssignment = z.object({
  assigneeId: membershipId.nullable().meta({ description: 'null: back to the queue' }),
  expectedAssigneeId,
})
export const reviewMove = z.object({
  state: reviewState,
  expectedState: reviewState.meta({ description: 'the state that the caller has seen' }),
  reason: oneLine(500).optional(),
})
export const reviewReopening = z.object({ reason: oneLine(500).optional() })
