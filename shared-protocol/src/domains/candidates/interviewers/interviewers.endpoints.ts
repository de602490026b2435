import { link, user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { emptyBody } from '../../../core/primitives.ts'
import {
  interviewer,
  interviewerAdd,
  interviewerCorrection,
  interviewerPage,
  interviewerRemoved,
  interviewers,
} from './interviewers.schemas.ts'

const all = '/v1/orgs/{orgId}/sessions/{id}/interviewers'
const one = `${all}/{interviewerId}` as const

/** The people who speak with a candidate, and that they were told that their voice is recorded. */
export const interviewersEndpoints = [
  defineEndpoint({
    auth: [user('session.view')],
    success: [200],
    effect: 'read',
    id: 'portal.interviewers.list',
    method: 'GET',
    path: all,
    summary: 'What a session records of interviewers, and which of them were told: who, when, and by what.',
    response: interviewers,
    additive: true,
  }),
  defineEndpoint({
    auth: [user('session.manage')],
    success: [201],
    effect: 'write',
    id: 'portal.interviewers.add',
    method: 'POST',
    path: all,
    summary:
      'Tell an interviewer by e-mail, with the appointment for their calendar. The same address again: another message with a new link.',
    body: interviewerAdd,
    response: interviewer,
    additive: true,
  }),
  defineEndpoint({
    auth: [user('session.manage')],
    success: [200],
    effect: 'write',
    id: 'portal.interviewers.correct',
    method: 'PATCH',
    path: one,
    summary: 'Correct the address, the name or the language of an interviewer.',
    details:
      'At another address they are told anew, by a message with a new link. The earlier link ends, and nothing is sent to the earlier ' +
      'address. 409 where another interviewer of the session has the address, and for another address after the session.',
    body: interviewerCorrection,
    response: interviewer,
    errors: ['conflict'],
    additive: true,
  }),
  defineEndpoint({
    auth: [user('session.manage')],
    success: [200],
    effect: 'write',
    id: 'portal.interviewers.remove',
    method: 'DELETE',
    path: one,
    summary: 'Take an interviewer off a session. Their page then says so. Again: the same answer.',
    details:
      'Before the session, whoever was written to gets a message, which takes the appointment out of their calendar.',
    response: interviewerRemoved,
    additive: true,
  }),
  defineEndpoint({
    auth: [link('interviewer')],
    success: [200],
    effect: 'write',
    id: 'interviewers.inspect',
    method: 'POST',
    path: '/v1/interviewers/inspect',
    summary: 'The data of the interviewer whom the link was sent to. The first opening is recorded.',
    body: emptyBody,
    bodyOptional: true,
    response: interviewerPage,
    additive: true,
  }),
] as const
