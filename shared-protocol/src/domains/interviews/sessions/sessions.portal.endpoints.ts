import * as z from 'zod'
import { user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { inOrder } from '../../../core/period.ts'
import { deleted, environment, paging } from '../../../core/primitives.ts'
import { sessionConfigPatch } from './sessions.config.ts'
import { meeting, meetingInput } from './sessions.meeting.ts'
import * as s from './sessions.schemas.ts'
import { portalListFilters, portalSessionList } from './sessions.search.schemas.ts'

const manage = { auth: [user('session.manage')], success: [200], effect: 'write' } as const
const all = '/v1/orgs/{orgId}/sessions'
const one = `${all}/{id}` as const
const policies = '/v1/orgs/{orgId}/policies'
/** What the agent asks for; whoever sees sessions sees what their candidates read. */
const previewed = {
  auth: [user('session.view')],
  additive: true,
  response: s.consentDocument,
  success: [200],
  effect: 'read',
} as const

/** The same sessions for people, who manage both environments. */
export const sessionsPortalEndpoints = [
  defineEndpoint({
    id: 'portal.sessions.list',
    method: 'GET',
    path: all,
    summary: 'Sessions of both environments, newest first unless `sort` says otherwise.',
    auth: [user('session.view')],
    query: inOrder(
      z.object({
        ...paging,
        ...s.sessionListFilters,
        ...portalListFilters,
        sandbox: s.sessionListFilters.sandbox.meta({
          description: 'true: of the sandbox alone; false: live ones alone',
        }),
        sort: z.enum(['newest', 'oldest']).optional().meta({ description: 'by `createdAt`; `newest` without it' }),
      }),
    ),
    response: portalSessionList,
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'portal.sessions.create',
    grants: 'session_link',
    method: 'POST',
    path: all,
    summary: 'Schedule a session, live unless the body says sandbox, and mint its agent join token.',
    auth: [user('session.create')],
    body: s.sessionCreate.extend({ environment: environment.default('live') }),
    bodyOptional: true,
    response: s.sessionCreated,
    success: [201],
    effect: 'write',
    emits: ['session.scheduled'],
  }),
  defineEndpoint({
    ...manage,
    id: 'portal.sessions.patch',
    method: 'PATCH',
    path: `${one}/config`,
    summary: 'Change the capture policy; groups merge deeply, a live agent hears of it at once.',
    body: sessionConfigPatch,
    response: s.session,
  }),
  defineEndpoint({
    ...manage,
    id: 'portal.sessions.meeting.set',
    method: 'PUT',
    path: `${one}/meeting`,
    summary: 'Link the video meeting. A live agent hears at once which app to expect. The same again changes nothing.',
    body: meetingInput,
    response: z.object({ meeting }),
  }),
  defineEndpoint({
    ...manage,
    id: 'portal.sessions.meeting.remove',
    method: 'DELETE',
    path: `${one}/meeting`,
    summary: 'Remove the meeting; `requiredApps` stays as people chose it. Again: the same answer.',
    response: deleted,
  }),
  defineEndpoint({
    id: 'portal.sessions.consentPreview',
    method: 'GET',
    path: `${one}/consent-preview`,
    summary: 'The consent document as the candidate of the session reads it now, in the language of `locale`.',
    auth: [user('session.view')],
    query: s.documentQuery,
    response: s.consentDocument,
    success: [200],
    effect: 'read',
    additive: true,
  }),
  defineEndpoint({
    ...manage,
    id: 'portal.sessions.end',
    method: 'POST',
    path: `${one}/end`,
    summary: 'End a session. Ending again gives the same answer.',
    body: s.endBody,
    bodyOptional: true,
    response: s.session,
    emits: ['session.ended'],
    additive: true,
  }),
  defineEndpoint({
    ...manage,
    id: 'portal.sessions.join',
    grants: 'session_link',
    method: 'POST',
    path: '/v1/sessions/{id}/join',
    summary: 'Mint a single-use join ticket for the candidate or for a companion phone.',
    sessionParam: 'id',
    body: s.joinLinkBody,
    response: s.joinLink,
    success: [201],
  }),
  defineEndpoint({
    ...previewed,
    id: 'portal.policies.consentPreview',
    method: 'GET',
    path: `${policies}/{policyId}/consent-preview`,
    summary: 'The consent document that a candidate of a session with this policy reads, as of its latest version.',
    query: s.documentQuery,
  }),
  defineEndpoint({
    ...previewed,
    id: 'portal.policies.consentPreview.draft',
    method: 'POST',
    path: `${policies}/consent-preview`,
    summary: 'The consent document of a policy that is being written. Nothing is saved.',
    body: z.object({ config: sessionConfigPatch, locale: s.wantedLocale }),
  }),
] as const
