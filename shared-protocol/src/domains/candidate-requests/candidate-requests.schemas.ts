import * as z from 'zod'
import { environment, id, instant, paging } from '../../core/primitives.ts'
import { emailAddress } from '../scheduling/scheduling.schemas.ts'
import { consentSummary, orgBrand, sessionState } from '../sessions/sessions.schemas.ts'

export const requestLinkDays = 7
/** An approved copy can be downloaded for so long. */
export const accessCopyDays = 30
/** Words of the candidate and answers to them, in characters. */
export const requestTextMax = 10_000

/** `context_statement`: words that the people who review the session shall read. */
export const requestKinds = ['context_statement', 'access', 'erasure'] as const
export const requestKind = z.enum(requestKinds)

/** Open are `received` and `acknowledged`; the others are ends. */
export const requestStatuses = ['received', 'acknowledged', 'approved', 'declined', 'completed'] as const
export const requestStatus = z.enum(requestStatuses)

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
  accessCopyUntil: instant.nullable().meta({ description: 'an approved copy can be downloaded until then' }),
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
  sessionId: z.string().min(1).max(64).meta({ description: 'stands in the invitation and in the desktop application' }),
  email: emailAddress.meta({ description: 'the address that was invited' }),
})
export const requestLink = z.object({ url: z.string(), token: z.string(), expiresAt: instant })

export const requestsPage = z
  .object({
    org: orgBrand,
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
    collected: z
      .array(z.object({ evidenceType: z.string(), objects: z.number().int(), sizeBytes: z.number().int() }))
      .meta({ description: 'what is kept now' }),
    eventCount: z.number().int(),
    requests: z.array(ownRequest).meta({ description: 'newest first' }),
    expiresAt: instant.meta({ description: 'until when the link that was presented works' }),
  })
  .meta({ id: 'RequestsPage' })

export const submitBody = z
  .object({
    kind: requestKind,
    text: text.optional(),
    replyTo: emailAddress.optional().meta({ description: 'where to write to, where nobody was invited by e-mail' }),
  })
  .refine(({ kind, text: words }) => kind !== 'context_statement' || words !== undefined, {
    path: ['text'],
    message: 'a context statement needs its words',
  })
export const submitted = ownRequest.extend({
  isNew: z.boolean().meta({ description: 'false: one of this kind was open already, and nothing was added to it' }),
})
export const exportBody = z.object({ requestId: z.string().min(1).max(64) })

export const requestListQuery = z.object({
  ...paging,
  status: z
    .enum(['open', ...requestStatuses, 'all'])
    .default('open')
    .meta({ description: '`open`: received or acknowledged' }),
  kind: requestKind.optional(),
  environment: environment.optional(),
})

export const respondBody = z.object({ text })
/** What is said to the candidate with a decision. */
export const decisionBody = z.object({ text: text.optional() })
/** Nobody is refused without a word. */
export const declineRequestBody = z.object({ text })

export const contextStatement = z
  .object({ requestId: id('crr'), at: instant, text: z.string(), readAt: instant.nullable() })
  .meta({ id: 'ContextStatement' })
