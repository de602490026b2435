import * as z from 'zod'
import { emailAddress } from '../../../core/mail-address.ts'
import { id, instant, oneLine } from '../../../core/primitives.ts'
import { orgBrand, schedule, sessionState } from '../../interviews/sessions/sessions.schemas.ts'

/** So many people who speak with the candidate of one session are told. */
export const interviewersPerSession = 20

/** By what an interviewer was told that their voice is recorded. */
export const toldBy = ['mail', 'calendar', 'page'] as const

/** What is recorded of whoever speaks with the candidate, by the policy in force. */
export const recordedOfInterviewers = z
  .object({
    voice: z.boolean().meta({ description: 'in the sound of the computer' }),
    words: z.boolean().meta({ description: 'in the transcript' }),
    retentionDays: z.number().int().meta({ description: 'the most days that it is kept after the session' }),
  })
  .meta({ id: 'RecordedOfInterviewers' })

export const interviewer = z
  .object({
    id: id('itv'),
    email: z.string(),
    name: z.string().nullable(),
    locale: z.string().meta({ description: 'language of the message and of the page, BCP 47' }),
    addedBy: z.object({ kind: z.string(), id: z.string(), label: z.string().nullable() }),
    addedAt: instant,
    delivery: z.enum(['queued', 'sent', 'refused']).meta({
      description: 'whether the newest message has been handed to the mail server, which may refuse it for good',
    }),
    told: z
      .array(z.object({ by: z.enum(toldBy), at: instant }))
      .meta({ description: 'by what they were told, and when first: earliest first, empty until a message went out' }),
  })
  .meta({ id: 'Interviewer' })

export const interviewers = z
  .object({
    sessionId: id('ses'),
    recorded: recordedOfInterviewers,
    interviewers: z.array(interviewer).meta({ description: 'in the order in which they were added' }),
  })
  .meta({ id: 'Interviewers' })

export const interviewerAdd = z.object({
  email: emailAddress,
  name: oneLine(200).optional().meta({ description: 'how the message addresses them' }),
  locale: z.string().max(35).optional().meta({
    description: 'language to write in, BCP 47; English where the service does not write that one',
  }),
})

export const interviewerCorrection = z
  .object({
    email: emailAddress.optional(),
    name: oneLine(200).nullable().optional().meta({ description: 'null: they have none' }),
    locale: z.string().max(35).optional().meta({
      description: 'language to write in, BCP 47; English where the service does not write that one',
    }),
  })
  .refine((asked) => Object.values(asked).some((value) => value !== undefined), 'says nothing to correct')

export const interviewerRemoved = z.object({ id: id('itv'), removedAt: instant }).meta({ id: 'InterviewerRemoved' })

export const interviewerPage = z
  .object({
    name: z.string().nullable(),
    locale: z.string(),
    org: orgBrand,
    appointment: schedule.nullable(),
    cancelledAt: instant.nullable(),
    removedAt: instant.nullable().meta({ description: 'they were taken off the interview then' }),
    state: sessionState,
    erasedAt: instant.nullable().meta({ description: 'everything that was recorded was erased then' }),
    recorded: recordedOfInterviewers,
  })
  .meta({ id: 'InterviewerPage' })
