import { membershipOf, reviewedSession } from '../reviews.ts'
import type { World } from '../world.ts'
import { byUser, type Examples, ofOrg } from './example.ts'

const ofNewReview = async (world: World) => {
  const { reviewId } = await reviewedSession(world)
  return { headers: await byUser(world), params: { orgId: world.scope.orgId, reviewId } }
}

export const reviewsExamples = {
  'portal.reviews.list': async (world) => {
    const { headers, params } = await ofOrg(world)
    const { data } = await world.server.client().call('portal.reviews.list', { headers, params })
    for (let n = data.total; n < 3; n++) await reviewedSession(world)
    return { headers, params }
  },
  'portal.reviews.assignees': ofOrg,
  'portal.reviews.get': ofNewReview,
  'portal.reviews.assign': async (world) => ({
    ...(await ofNewReview(world)),
    json: { assigneeId: await membershipOf(world), expectedAssigneeId: null },
  }),
  'portal.reviews.move': async (world) => ({
    ...(await ofNewReview(world)),
    json: { state: 'in_review', expectedState: 'open', reason: 'Beginning now.' },
  }),
} satisfies Examples
