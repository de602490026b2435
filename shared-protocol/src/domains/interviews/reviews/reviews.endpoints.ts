import { user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { wholePagingQuery } from '../../../core/primitives.ts'
import * as s from './reviews.schemas.ts'

const read = { auth: [user('report.view')], method: 'GET', success: [200], effect: 'read' } as const
const write = { auth: [user('report.view')], method: 'POST', success: [200], effect: 'write' } as const
const all = '/v1/orgs/{orgId}/reviews'
const one = `${all}/{reviewId}` as const

/** The sessions that people still have to look at. */
export const reviewsEndpoints = [
  defineEndpoint({
    ...read,
    id: 'portal.reviews.list',
    path: all,
    summary: 'The review queue, oldest backlog first; unfinished work unless `state` says otherwise.',
    query: s.reviewListQuery,
    response: s.reviewList,
  }),
  defineEndpoint({
    ...read,
    id: 'portal.reviews.assignees',
    path: `${all}/assignees`,
    summary: 'Members to whom reviews can be assigned, by name, with the number of their unfinished reviews.',
    query: wholePagingQuery,
    response: s.assigneeList,
  }),
  defineEndpoint({
    ...read,
    id: 'portal.reviews.get',
    path: one,
    summary: 'One review.',
    response: s.review,
  }),
  defineEndpoint({
    ...write,
    id: 'portal.reviews.assign',
    path: `${one}/assignment`,
    summary: 'Claim a review, return it, or assign it. If somebody else was faster, the answer names them.',
    details:
      'Claiming what nobody has needs `report.sign_off`, handing back what one has needs nothing more; everything else needs `session.review.assign`. ' +
      'Whoever is given a review must hold `report.sign_off`. A member who is deactivated or loses it has theirs handed back.',
    body: s.reviewAssignment,
    response: s.review,
  }),
  defineEndpoint({
    ...write,
    id: 'portal.reviews.move',
    path: `${one}/state`,
    summary: 'Move a review. Completing it needs a sign-off that is not stale.',
    details:
      'open → in_review; in_review → open, waiting, completed; waiting → open, in_review, completed; completed → open. ' +
      'For whoever has the review, and for holders of `session.review.assign`, who alone reopen.',
    body: s.reviewMove,
    response: s.review,
  }),
] as const
