import * as z from 'zod'
import { emailAddress } from '../../../core/mail-address.ts'
import { environment, id, instant, paging } from '../../../core/primitives.ts'
import { aidsOffer, shownAid } from '../../interviews/sessions/sessions.aids.ts'
import { consentSummary, inviter, orgBrand, sessionState } from '../../interviews/sessions/sessions.schemas.ts'
import { statedMoment } from '../../review/reports/reports.schemas.ts'

export const requestLinkDays = 7
/** An approved copy can be downloaded for so long. */
export const accessCopyDays = 30
/** Words of the candidate and answers to them, in characters. */
export const requestTextMax = 10_000

/** A candidate who needs something for the interview is answered within so many days, and before it begins. */
export const accommodationDays = 5

/** What a candidate may send by itself: aids are declared, an accommodation is asked for in a message to the hiring team. */
export const wishKinds = ['context_statement', 'access', 'erasure'] as const
/** `context_statement`: words that the people who review the session shall read. */
export const requestKinds = [...wishKinds, 'aids', 'accommodation'] as const
export const requestKind = z.enum(requestKinds)

/** Open are `received` and `acknowledged`; the others are ends. */
export const requestStatuses = ['received', 'acknowledged', 'approved', 'declined', 'completed'] as const
export const requestStatus = z.enum(requestStatuses)

/** In which order the organisation lists them. */
export const requestOrders = ['newest', 'due'] as const

/** How whoever asks came to the link: what speaks for their being the candidate. */
export const linkOrigin = z.enum(['invited_address', 'invitation', 'desktop_agent'])

const text = z.string().trim().min(1).max(requestTextMax)

const message = z.object({
  id: id('msg'),
  at: instant,
  from: z.enum(['candidate', 'organisation']),
  text: z.string(),
})

const common = {
  id: id('crr'),
  kind: requestKind,
  status: requestStatus,
  createdAt: instant,
  acknowledgedAt: instant.nullable(),
  decidedAt: instant.nullable().meta({ description: 'approved, declined or completed then' }),
  messages: z.array(message).meta({ description: 'what was written to each other, oldest first' }),
  answerDueAt: instant.nullable().meta({
    description: `an answer is due until then: a month after it came, for a copy or an erasure; ${accommodationDays} days after it came or at the appointment, whichever is sooner, for aids and an accommodation; null for a statement`,
  }),
  accessCopyUntil: instant.nullable().meta({ description: 'an approved copy can be downloaded until then' }),
  moment: statedMoment.nullable().meta({ description: 'the moment that a statement is about, where it names one' }),
}

/** As the candidate sees it. */
export const ownRequest = z.object(common).meta({ id: 'OwnRequest' })

/** As the organisation sees it. */
export const candidateRequest = z
  .object({
    ...common,
    environment,
    session: z.object({ id: id('ses'), externalId: z.string().nullable(), candidateLabel: z.string().nullable() }),
    origin: linkOrigin,
    replyTo: z.string().nullable().meta({ description: 'the invited address, else what the candidate wrote' }),
    acknowledgedBy: z.string().nullable(),
    decidedBy: z.string().nullable(),
    lastDownloadAt: instant.nullable(),
  })
  .meta({ id: 'CandidateRequest' })

export const linkBody = z.object({
  sessionId: z.string().min(1).max(64).meta({ description: 'shown in the invitation and in the desktop application' }),
  email: emailAddress.meta({ description: 'the address that was invited' }),
})
export const requestLink = z.object({ url: z.string(), token: z.string(), expiresAt: instant })

const collected = z
  .array(z.object({ evidenceType: z.string(), objects: z.number().int(), sizeBytes: z.number().int() }))
  .meta({ description: 'the data that is stored now' })

export const requestsPage = z
  .object({
    org: orgBrand,
    inviter,
    session: z.object({
      id: id('ses'),
      candidateLabel: z.string().nullable(),
      state: sessionState,
      startedAt: instant.nullable(),
      endedAt: instant.nullable(),
      erasedAt: instant.nullable(),
      legalHold: z.boolean(),
      retentionDays: z.number().int(),
    }),
    consent: consentSummary,
    collected,
    eventCount: z.number().int(),
    aids: aidsOffer.extend({ declared: z.array(shownAid) }),
    requests: z.array(ownRequest).meta({ description: 'newest first' }),
    expiresAt: instant.meta({ description: 'until when the link that was presented works' }),
  })
  .meta({ id: 'RequestsPage' })

export const declaringQuery = z.object({
  locale: z.string().max(35).optional().meta({ description: 'language of the aids, BCP 47' }),
})

/** Everything about aids and accommodations that a page needs before the interview. */
export const declaring = aidsOffer
  .extend({
    declared: z.array(shownAid),
    open: z.boolean().meta({ description: 'false: the interview has begun, and nothing can be declared any more' }),
    requests: z.array(ownRequest).meta({ description: 'of aids and accommodations, newest first' }),
  })
  .meta({ id: 'Declaring' })

export const submitBody = z
  .object({
    kind: z.enum(wishKinds),
    text: text.optional(),
    moment: id('mom')
      .optional()
      .meta({ description: 'the moment that a context statement is about: its id, from `candidateRequests.moments`' }),
    replyTo: emailAddress
      .optional()
      .meta({ description: 'the address for the answer, if nobody was invited by e-mail' }),
  })
  .refine(({ kind, text: words }) => kind !== 'context_statement' || words !== undefined, {
    path: ['text'],
    message: 'a context statement needs its words',
  })
  .refine(({ kind, moment: about }) => kind === 'context_statement' || about === undefined, {
    path: ['moment'],
    message: 'only a context statement is about a moment',
  })
export const submitted = ownRequest.extend({
  isNew: z.boolean().meta({
    description: 'false: one of this kind, about the same moment, was open already, and nothing was added to it',
  }),
})
export const exportBody = z.object({ requestId: z.string().min(1).max(64) })

export const archiveBody = z.object({
  requestId: z.string().min(1).max(64),
  locale: z.string().max(35).optional().meta({ description: 'language of the page in it, BCP 47' }),
})

export const requestListQuery = z.object({
  ...paging,
  status: z
    .enum(['open', ...requestStatuses, 'all'])
    .default('open')
    .meta({ description: '`open`: received or acknowledged' }),
  kind: requestKind.optional(),
  environment: environment.optional(),
  sort: z
    .enum(requestOrders)
    .default('newest')
    .meta({ description: '`due`: those that came first are first, as answers are due in the order of arrival' }),
})

/** What an approval sends out or erases, as it is now. */
export const requestPreview = z
  .object({
    requestId: id('crr'),
    kind: requestKind,
    state: sessionState,
    legalHold: z.boolean(),
    erasedAt: instant.nullable(),
    collected,
    eventCount: z.number().int(),
  })
  .meta({ id: 'RequestPreview' })

export const respondBody = z.object({ text })
/** What is said to the candidate with a decision. */
export const decisionBody = z.object({ text: text.optional() })
/** Nobody is refused without a word. */
export const declineRequestBody = z.object({ text })

export const contextStatement = z
  .object({
    requestId: id('crr'),
    at: instant,
    text: z.string(),
    readAt: instant.nullable(),
    moment: statedMoment.nullable().meta({ description: 'null: it is about the whole interview' }),
  })
  .meta({ id: 'ContextStatement' })
