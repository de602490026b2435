import type { BuiltInRole } from '@integrity/protocol'
import { findMemberByUser } from '../../src/domains/organisation/people/memberships.store.ts'
import { portalCookie } from './portal.ts'
import { liveSession, type World } from './world.ts'

/** The membership of the owner by whom the examples are asked. */
export const membershipOf = async ({ server, scope }: World, role: BuiltInRole = 'owner'): Promise<string> => {
  const headers = await portalCookie(server, role, scope.orgId)
  const { data } = await server.client().call('auth.me', { headers })
  const member = await findMemberByUser(server.app.db.reader, scope.orgId, data.user.id)
  return member?.id ?? ''
}

/** The review of a session, as it comes to the queue when that ends. */
export const reviewOf = async ({ server, scope }: World, sessionId: string): Promise<string> => {
  const headers = await portalCookie(server, 'owner', scope.orgId)
  const { orgId } = scope
  const { data } = await server
    .client()
    .call('portal.reviews.list', { headers, params: { orgId }, query: { sessionId, state: 'all' } })
  return data.items[0]?.id ?? ''
}

/** A session that was live and has ended, with its review. */
export const reviewedSession = async (world: World) => {
  const { server, scope, key } = world
  const session = await liveSession(server, scope, key)
  await server.client(key).call('sessions.end', { params: { id: session.id } })
  return { ...session, reviewId: await reviewOf(world, session.id) }
}

/** Signs off as an owner; answers the revision. */
export const signOff = async ({ server, scope }: World, sessionId: string, expectedRevision = 0) => {
  const headers = await portalCookie(server, 'owner', scope.orgId)
  const { data } = await server
    .client()
    .call('portal.report.signOff', { headers, params: { id: sessionId }, body: { expectedRevision } })
  return data
}

/** Through its states to the end, as an owner. */
export const completeReview = async (world: World, { id, reviewId }: { id: string; reviewId: string }) => {
  const { server, scope } = world
  const headers = await portalCookie(server, 'owner', scope.orgId)
  await signOff(world, id)
  for (const [expectedState, state] of [
    ['open', 'in_review'],
    ['in_review', 'completed'],
  ] as const)
    await server.client().call('portal.reviews.move', {
      headers,
      params: { orgId: scope.orgId, reviewId },
      body: { state, expectedState },
    })
}
