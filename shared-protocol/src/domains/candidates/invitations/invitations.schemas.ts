import * as z from 'zod'
import { emailAddress } from '../../../core/mail-address.ts'
import { id, instant } from '../../../core/primitives.ts'
import { aidsOffer } from '../../interviews/sessions/sessions.aids.ts'
import { consentDocument, orgBrand, schedule, sessionState } from '../../interviews/sessions/sessions.schemas.ts'

/** What a candidate has done so far, as the service knows it: nothing is taken on anybody's word. */
export const readinessSteps = ['opened', 'ticket', 'joined', 'consented', 'live', 'ended'] as const

export const invitationPage = z
  .object({
    invitation: z.object({
      id: id('ivn'),
      name: z.string().nullable(),
      locale: z.string(),
      expiresAt: instant,
      invitedBy: z
        .string()
        .nullable()
        .meta({ description: 'name of the inviting member; null if they are no longer a member' }),
    }),
    org: orgBrand,
    session: z.object({
      id: id('ses'),
      candidateLabel: z.string().nullable(),
      state: sessionState,
      startedAt: instant.nullable(),
    }),
    appointment: schedule.nullable(),
    appointmentChangedAt: instant
      .nullable()
      .meta({ description: 'the appointment was set then, after the invitation was first written' }),
    cancelledAppointment: schedule.nullable().meta({ description: 'what was cancelled' }),
    cancelledAt: instant.nullable().meta({ description: 'the appointment was cancelled then' }),
    consentDocument: consentDocument.meta({
      description: 'what the candidate will be asked for, for reading in advance',
    }),
    aids: aidsOffer.meta({ description: 'what needs no answer; what was declared is in the consent document' }),
    downloads: z
      .array(
        z.object({
          platform: z.string(),
          arch: z.string(),
          version: z.string(),
          url: z.string(),
          sizeBytes: z.number().int(),
        }),
      )
      .meta({ description: 'newest builds of the desktop application; empty where the operator published none' }),
  })
  .meta({ id: 'InvitationPage' })

export const inspectBody = z.object({
  locale: z.string().max(35).optional().meta({ description: 'language of the consent document, BCP 47' }),
})

export const readiness = z
  .object({
    steps: z.array(z.object({ step: z.enum(readinessSteps), at: instant.nullable() })).meta({
      description: 'in their order, each with when it was done; null: not yet',
    }),
  })
  .meta({ id: 'Readiness' })

export const declineBody = z.object({
  reason: z.string().trim().min(1).max(2000).optional().meta({ description: 'mailed to the hiring team, not stored' }),
})
export const declined = z.object({ declinedAt: instant })

export const contactTopics = ['accommodation', 'question', 'new_time'] as const
export const contactBody = z.object({
  topic: z.enum(contactTopics),
  text: z.string().trim().min(1).max(5000),
  replyTo: emailAddress.optional().meta({ description: 'where to answer; the invited address where it says nothing' }),
})
