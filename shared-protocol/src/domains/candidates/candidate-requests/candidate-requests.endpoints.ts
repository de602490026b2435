import * as z from 'zod'
import { agent, anonymous, link, user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { emptyBody, listOf } from '../../../core/primitives.ts'
import { review, reviewReopening } from '../../interviews/reviews/reviews.schemas.ts'
import { aidsBody } from '../../interviews/sessions/sessions.aids.ts'
import * as kept from './candidate-requests.contents.schemas.ts'
import * as s from './candidate-requests.schemas.ts'

const byLink = { auth: [link('candidate_request')], method: 'POST', success: [200], effect: 'write' } as const
/** What is said before the interview is said from the invitation, too. */
const fromInvitation = { auth: [link('candidate_request'), link('invitation')] } as const
const manage = { auth: [user('candidate_request.manage')], method: 'POST', success: [200], effect: 'write' } as const
/** Who signs off reads statements; all else is for who answers candidates. */
const orSigner = [user('candidate_request.manage', 'report.sign_off')] as const
const forSigners = 'With `report.sign_off` alone only statements are shown, without the address to write to.'
const noBody = { body: emptyBody, bodyOptional: true } as const
const all = '/v1/orgs/{orgId}/candidate-requests'
const one = `${all}/{requestId}` as const

/** What candidates ask for after the interview: to be heard, to see what is kept, to have it erased. */
export const candidateRequestsEndpoints = [
  defineEndpoint({
    id: 'candidateRequests.links.mail',
    grants: 'session_link',
    method: 'POST',
    path: '/v1/candidate-requests/links',
    summary: 'Have a link sent to the invited address. The answer is the same whether or not it was invited.',
    auth: [anonymous],
    body: s.linkBody,
    ignoresUnknown: true,
    response: z.object({ accepted: z.literal(true) }),
    success: [202],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'candidateRequests.links.invitation',
    grants: 'session_link',
    method: 'POST',
    path: '/v1/candidate-requests/links/invitation',
    summary: 'Exchange the token of a live invitation for a link to the requests of its session.',
    auth: [link('invitation')],
    ...noBody,
    response: s.requestLink,
    success: [201],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'candidateRequests.links.agent',
    grants: 'session_link',
    method: 'POST',
    path: '/v1/candidate-requests/links/session',
    summary: 'A link to the requests of its session, for the desktop application to open in the browser.',
    auth: [agent],
    ...noBody,
    response: s.requestLink,
    success: [201],
    effect: 'write',
    additive: true,
  }),
  defineEndpoint({
    ...byLink,
    ...noBody,
    id: 'candidateRequests.view',
    path: '/v1/candidate-requests/view',
    effect: 'read',
    summary: "The session of the link, its stored data, and the candidate's requests.",
    response: s.requestsPage,
  }),
  defineEndpoint({
    ...byLink,
    id: 'candidateRequests.submit',
    path: '/v1/candidate-requests/submit',
    summary: 'Send a context statement or a request. While one of its kind is open, that one is answered instead.',
    details:
      'A statement that comes after a sign-off makes that stale. One may be open about the whole interview, and one about ' +
      'each moment of it.',
    body: s.submitBody,
    response: s.submitted,
    success: [201, 200],
    emits: ['report.stale'],
  }),
  defineEndpoint({
    ...byLink,
    ...fromInvitation,
    id: 'candidateRequests.aids',
    path: '/v1/candidate-requests/aids',
    summary: 'Declare aids for the interview, before it begins. What the policy offers is agreed at once.',
    details:
      'No reason is asked for. The others wait for the answer of the organisation, which approves or declines them together. ' +
      'While such a request is open, further aids are added to it. An aid that is declared again takes the new words.',
    body: aidsBody,
    response: s.ownRequest,
    success: [201, 200],
    errors: ['conflict'],
    additive: true,
  }),
  defineEndpoint({
    ...byLink,
    ...fromInvitation,
    id: 'candidateRequests.declared',
    path: '/v1/candidate-requests/aids/view',
    effect: 'read',
    summary:
      'The aids that are offered for the interview, those that were declared, and what was asked for and answered.',
    body: s.declaringQuery,
    bodyOptional: true,
    response: s.declaring,
    additive: true,
  }),
  defineEndpoint({
    ...byLink,
    id: 'candidateRequests.export',
    path: '/v1/candidate-requests/export',
    summary: "The approved copy of the candidate's data, as a JSON file. Audited.",
    body: s.exportBody,
    response: z.any().meta({ description: 'application/json, as an attachment' }),
    errors: ['not_found', 'conflict'],
    kind: 'bytes',
    mediaTypes: ['application/json'],
  }),
  defineEndpoint({
    ...byLink,
    id: 'candidateRequests.archive',
    path: '/v1/candidate-requests/archive',
    summary: 'The approved copy as one ZIP file with a page that lists it, written as it is read. Audited.',
    body: s.archiveBody,
    response: z.any().meta({ description: 'application/zip, as an attachment' }),
    errors: ['not_found', 'conflict'],
    kind: 'bytes',
    mediaTypes: ['application/zip'],
    additive: true,
  }),
  defineEndpoint({
    ...byLink,
    id: 'candidateRequests.bundle',
    path: '/v1/candidate-requests/bundle',
    summary: 'The approved copy as one ZIP file that anybody can check without this service. Audited.',
    details:
      'It holds the evidence itself, and the rows of the audit trail that are about the candidate; nothing in it is of those who ' +
      'review. The format is that of `portal.sessions.bundle`. It is kept for a week or until something changes in the session: ' +
      'until then it is the same bytes, of which ranges can be asked for.',
    headers: { range: 'one byte range; answered with 206, or 416 with the size when it lies beyond the end' },
    body: s.exportBody,
    response: z.any().meta({ description: 'application/zip, of the format `session-bundle/1`' }),
    success: [200, 206],
    errors: ['not_found', 'conflict'],
    kind: 'bytes',
    mediaTypes: ['application/zip'],
    additive: true,
  }),
  defineEndpoint({
    ...byLink,
    id: 'candidateRequests.contents',
    grants: 'object_link',
    path: '/v1/candidate-requests/contents',
    effect: 'read',
    summary: 'The contents of an approved copy, for viewing: recordings page by page, coverage, and who opened what.',
    body: kept.contentsBody,
    response: kept.contents,
    errors: ['not_found', 'conflict'],
    additive: true,
  }),
  defineEndpoint({
    ...byLink,
    id: 'candidateRequests.moments',
    path: '/v1/candidate-requests/moments',
    effect: 'read',
    summary: 'The moments of the interview that published rules name, as its reviewers see them, once it has ended.',
    details:
      'They are those of the report, with the same ids and base rates. Nothing that reviewers wrote is in them, and not what ' +
      'was read then, which an approved copy has. A context statement can name one of them (`moment`).',
    body: kept.momentsBody,
    bodyOptional: true,
    response: kept.ownMoments,
    additive: true,
  }),
  defineEndpoint({
    id: 'portal.candidateRequests.list',
    method: 'GET',
    path: all,
    summary:
      "The organisation's candidate requests, newest first unless `sort` says otherwise; the open ones unless `status` does.",
    details: forSigners,
    auth: orSigner,
    query: s.requestListQuery,
    response: listOf(s.candidateRequest),
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'portal.candidateRequests.get',
    method: 'GET',
    path: one,
    summary: 'One request with what was written to each other.',
    details: forSigners,
    auth: orSigner,
    response: s.candidateRequest,
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'portal.candidateRequests.preview',
    method: 'GET',
    path: `${one}/preview`,
    summary: 'What is stored of the session now: what an approved copy gives out, or an approved erasure erases.',
    auth: [user('candidate_request.manage')],
    response: s.requestPreview,
    success: [200],
    effect: 'read',
    additive: true,
  }),
  defineEndpoint({
    ...manage,
    ...noBody,
    id: 'portal.candidateRequests.acknowledge',
    path: `${one}/acknowledge`,
    summary: 'Say that somebody has seen it. Again: the same answer.',
    response: s.candidateRequest,
  }),
  defineEndpoint({
    ...manage,
    id: 'portal.candidateRequests.respond',
    path: `${one}/respond`,
    summary: 'Write to the candidate; the service mails them a new link.',
    body: s.respondBody,
    response: s.candidateRequest,
  }),
  defineEndpoint({
    ...manage,
    id: 'portal.candidateRequests.approve',
    path: `${one}/approve`,
    summary:
      'Approve a copy, an erasure, aids or an accommodation. An erasure happens at once; 409 while live or under legal hold.',
    body: s.decisionBody,
    bodyOptional: true,
    response: s.candidateRequest,
    emits: ['session.ended'],
  }),
  defineEndpoint({
    ...manage,
    id: 'portal.candidateRequests.decline',
    path: `${one}/decline`,
    summary: 'Decline, with a reason for the candidate.',
    body: s.declineRequestBody,
    response: s.candidateRequest,
  }),
  defineEndpoint({
    ...manage,
    id: 'portal.candidateRequests.complete',
    path: `${one}/complete`,
    summary: 'Mark a context statement as read, or an accommodation as answered.',
    details: 'With `report.sign_off` alone it takes no `text`: to write to the candidate is for who answers requests.',
    auth: orSigner,
    body: s.decisionBody,
    bodyOptional: true,
    response: s.candidateRequest,
  }),
  defineEndpoint({
    id: 'portal.candidateRequests.reopenReview',
    method: 'POST',
    path: `${one}/reopen-review`,
    summary: "Reopen the completed review of the request's session. All that was said stays.",
    auth: [user('session.review.assign')],
    body: reviewReopening,
    bodyOptional: true,
    response: review,
    success: [200],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'portal.candidateContext.get',
    method: 'GET',
    path: '/v1/orgs/{orgId}/session-candidate-context/{sessionId}',
    summary: "The candidate's context statements on a session, oldest first.",
    auth: [user('evidence.view', 'report.sign_off')],
    response: z.object({ sessionId: z.string(), statements: z.array(s.contextStatement) }),
    success: [200],
    effect: 'read',
  }),
] as const
