import * as z from 'zod'
import { emailAddress } from '../../../core/mail-address.ts'
import { environment, id, instant, oneLine } from '../../../core/primitives.ts'
import { schedule, scheduleInput } from '../../interviews/sessions/sessions.schemas.ts'

/** An invitation without an appointment is good for this long; with one, until a day after it began. */
export const invitationDays = 7
export const invitationGraceHours = 24
/** So many invitations of one session are kept and listed; more are refused. */
export const invitationsPerSession = 50

export const invitationStatus = z.enum(['live', 'declined', 'revoked', 'expired'])

export const invitation = z
  .object({
    id: id('ivn'),
    email: z.string().meta({ description: 'empty once the session was erased' }),
    name: z.string().nullable(),
    locale: z.string().meta({ description: 'language of the message and of the page, BCP 47' }),
    status: invitationStatus,
    delivery: z.enum(['queued', 'sent', 'refused']).meta({
      description:
        'whether the newest message has been handed to the mail server; it is tried again until that took it, unless that refuses it for good, as it does an address that does not exist: mend the address in a new invitation, or resend it',
    }),
    invitedBy: z.object({ kind: z.string(), id: z.string(), label: z.string().nullable() }),
    createdAt: instant,
    sentAt: instant.nullable().meta({ description: 'when the newest message was handed over' }),
    openedAt: instant.nullable().meta({ description: 'when the link was first opened' }),
    ticketAt: instant.nullable().meta({ description: 'when a join code was first taken' }),
    declinedAt: instant.nullable(),
    revokedAt: instant.nullable(),
    expiresAt: instant,
  })
  .meta({ id: 'Invitation' })

export const scheduling = z
  .object({
    sessionId: id('ses'),
    appointment: schedule.nullable().meta({ description: 'null before one was set, and after it was cancelled' }),
    cancelledAt: instant.nullable(),
    invitations: z.array(invitation).meta({ description: 'newest first' }),
  })
  .meta({ id: 'Scheduling' })

export const invitationCreate = z.object({
  email: emailAddress,
  name: oneLine(200).optional().meta({ description: 'how the message addresses the candidate' }),
  locale: z.string().max(35).optional().meta({
    description: 'language to write in, BCP 47; English where the service does not write that one',
  }),
  message: z.string().trim().min(1).max(2000).optional().meta({ description: 'words of your own in the message' }),
})

/** What a message would say of an interview that there is not yet. */
export const invitationDraft = invitationCreate.omit({ email: true }).extend({
  environment: environment.default('live'),
  schedule: scheduleInput
    .optional()
    .meta({ description: 'the appointment; without it the message says that there is none' }),
})

export const invitationLetter = z
  .object({
    locale: z.string().meta({ description: 'the language that it is written in, BCP 47' }),
    subject: z.string(),
    text: z.string().meta({ description: 'the message as plain text; its link is not one that opens anything' }),
    expiresAt: instant.meta({ description: 'until when the link of a message that is sent now would work' }),
  })
  .meta({ id: 'InvitationLetter' })
