import type { HandlerMap } from '../../../kernel/handler.ts'
import { pageView, wholeView } from '../../../kernel/paging.ts'
import { assignReview } from './assignment.service.ts'
import { readBeside } from './reviews.beside.service.ts'
import { getReview, readAssignees, readReviews } from './reviews.service.ts'
import { reviewView } from './reviews.view.ts'
import { moveReview } from './states.service.ts'

export const reviewsRoutes = {
  'portal.reviews.list': {
    read: async (call, { query }) => {
      const { page, total } = await readReviews(call, { orgId: call.scope.orgId, query })
      const now = call.clock.now()
      const beside = await readBeside(call, { orgId: call.scope.orgId, reviews: page.rows })
      return pageView(page, total, (review) => ({ ...reviewView(review, now), ...beside(review) }))
    },
  },
  'portal.reviews.assignees': {
    read: async (call, { query }) =>
      wholeView(await readAssignees(call, call.scope.orgId), { name: 'assignees', query, view: (one) => one }),
  },
  'portal.reviews.get': {
    read: async (call, { params }) =>
      reviewView(await getReview(call, { orgId: call.scope.orgId, id: params.reviewId }), call.clock.now()),
  },
  'portal.reviews.assign': {
    write: async (call, { params, body }) =>
      reviewView(await assignReview(call, { id: params.reviewId, wanted: body }), call.clock.now()),
  },
  'portal.reviews.move': {
    write: async (call, { params, body }) =>
      reviewView(await moveReview(call, { id: params.reviewId, wanted: body }), call.clock.now()),
  },
} satisfies Partial<HandlerMap>
