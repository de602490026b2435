import * as z from 'zod'
import { user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { emptyBody } from '../../../core/primitives.ts'
import { scheduleInput } from '../../interviews/sessions/sessions.schemas.ts'
import { typedBrand } from '../../organisation/branding/branding.schemas.ts'
import { invitation, invitationCreate, invitationDraft, invitationLetter, scheduling } from './scheduling.schemas.ts'

const read = { auth: [user('session.view')], success: [200], effect: 'read' } as const
const manage = { auth: [user('session.manage')], success: [200], effect: 'write' } as const
const noBody = { body: emptyBody, bodyOptional: true } as const
const one = '/v1/orgs/{orgId}/sessions/{id}'

/** The appointment of a session, and who was invited to it. */
export const schedulingEndpoints = [
  defineEndpoint({
    ...read,
    id: 'portal.scheduling.get',
    method: 'GET',
    path: `${one}/scheduling`,
    summary: 'The appointment of a session and its invitations, newest first; never their links.',
    response: scheduling,
  }),
  defineEndpoint({
    ...manage,
    id: 'portal.scheduling.set',
    method: 'PUT',
    path: `${one}/schedule`,
    summary: 'Set or move the appointment. A live invitation is sent again with a new link, and the old link ends.',
    body: scheduleInput,
    response: scheduling,
  }),
  defineEndpoint({
    ...manage,
    ...noBody,
    id: 'portal.scheduling.cancel',
    method: 'POST',
    path: `${one}/schedule/cancel`,
    summary:
      'Cancel the appointment and tell the invited candidate. A repeated call gives the same answer and sends no second message.',
    response: scheduling,
  }),
  defineEndpoint({
    ...read,
    id: 'portal.scheduling.calendar',
    method: 'GET',
    path: `${one}/schedule.ics`,
    summary: 'The appointment as an iCalendar file, without any link of the candidate.',
    response: z.any().meta({ description: 'text/calendar' }),
    errors: ['conflict'],
    kind: 'bytes',
    mediaTypes: ['text/calendar'],
  }),
  defineEndpoint({
    ...manage,
    id: 'portal.invitations.create',
    grants: 'session_link',
    method: 'POST',
    path: `${one}/invitations`,
    summary: 'Invite the candidate by e-mail. One invitation of a session is live at a time.',
    body: invitationCreate,
    response: invitation,
    success: [201],
  }),
  defineEndpoint({
    ...read,
    id: 'portal.invitations.preview',
    method: 'POST',
    path: '/v1/orgs/{orgId}/invitations/preview',
    summary: 'The message of an invitation that is being written, in the name of the caller. Nothing is sent or saved.',
    body: invitationDraft,
    response: invitationLetter,
    additive: true,
  }),
  defineEndpoint({
    id: 'portal.invitations.letter',
    method: 'GET',
    path: '/v1/orgs/{orgId}/invitations/letter',
    summary:
      'The HTML of an invitation with a brand that is being typed, for a frame of the desk. Nothing is sent or saved.',
    details: 'Its logo is the one that is saved; its link opens nothing.',
    auth: [user('branding.manage')],
    query: z.object({ ...typedBrand, locale: z.string().max(35).default('en') }),
    response: z.any().meta({ description: 'text/html' }),
    success: [200],
    effect: 'read',
    kind: 'bytes',
    mediaTypes: ['text/html'],
    additive: true,
  }),
  defineEndpoint({
    ...manage,
    ...noBody,
    id: 'portal.invitations.resend',
    grants: 'session_link',
    method: 'POST',
    path: `${one}/invitations/{invitationId}/resend`,
    summary: 'Send the invitation again with a new link; earlier links stop working.',
    response: invitation,
  }),
  defineEndpoint({
    ...manage,
    ...noBody,
    id: 'portal.invitations.revoke',
    method: 'POST',
    path: `${one}/invitations/{invitationId}/revoke`,
    summary: 'End the link without writing to the candidate. Again: the same answer.',
    response: invitation,
  }),
] as const
