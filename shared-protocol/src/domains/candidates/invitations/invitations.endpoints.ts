import * as z from 'zod'
import { link } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { emptyBody, id, instant } from '../../../core/primitives.ts'
import { joinLink } from '../../interviews/sessions/sessions.schemas.ts'
import { contactBody, declineBody, declined, inspectBody, invitationPage, readiness } from './invitations.schemas.ts'

const auth = [link('invitation')] as const
const write = { auth, method: 'POST', success: [200], effect: 'write' } as const
const noBody = { body: emptyBody, bodyOptional: true } as const

/** What the link in an invitation opens; its token is the bearer credential. */
export const invitationsEndpoints = [
  defineEndpoint({
    ...write,
    id: 'invitations.inspect',
    path: '/v1/invitations/inspect',
    summary:
      'The invitation of the link: who invites, when, and what the candidate will be asked for. The first opening is recorded.',
    body: inspectBody,
    bodyOptional: true,
    response: invitationPage,
  }),
  defineEndpoint({
    ...noBody,
    auth,
    method: 'POST',
    effect: 'read',
    id: 'invitations.calendar',
    path: '/v1/invitations/calendar',
    summary: 'The appointment as an iCalendar file, with the link that was presented.',
    response: z.any().meta({ description: 'text/calendar' }),
    success: [200],
    errors: ['conflict'],
    kind: 'bytes',
    mediaTypes: ['text/calendar'],
  }),
  defineEndpoint({
    ...write,
    ...noBody,
    id: 'invitations.ticket',
    grants: 'session_link',
    path: '/v1/invitations/ticket',
    summary: 'A single-use join code for the desktop application: the only credential that a link yields.',
    response: joinLink,
    success: [201],
  }),
  defineEndpoint({
    ...noBody,
    auth,
    method: 'POST',
    effect: 'read',
    id: 'invitations.readiness',
    path: '/v1/invitations/readiness',
    summary: 'The progress of the preparation, as the service knows it.',
    response: readiness,
    success: [200],
  }),
  defineEndpoint({
    ...write,
    id: 'invitations.decline',
    path: '/v1/invitations/decline',
    summary: 'Decline. The link stops working; the service tells the hiring team by mail.',
    admitsSpent: true,
    body: declineBody,
    bodyOptional: true,
    response: declined,
  }),
  defineEndpoint({
    ...write,
    id: 'invitations.contact',
    path: '/v1/invitations/contact',
    summary:
      'Write to the hiring team: a question or another time is mailed, not stored; an accommodation is a request, too.',
    body: contactBody,
    response: z.object({
      sentAt: instant,
      requestId: id('crr').nullable().meta({ description: 'of an accommodation: what is answered until it is due' }),
    }),
  }),
] as const
