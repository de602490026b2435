import type { EndpointId } from '@integrity/protocol'
import { portalCookie } from '../portal.ts'
import type { RawRequest } from '../send.ts'
import { scheduleSession, type World } from '../world.ts'

/** What a valid request needs besides its method and path; `json` becomes the payload. */
export interface Example extends RawRequest {
  readonly json?: Readonly<Record<string, unknown>>
}
/** Makes a request that succeeds, with state of its own where the call uses it up. */
export type MakeExample = (world: World) => Example | Promise<Example>
/** Of some endpoints; a name that is no endpoint does not compile. */
export type Examples = { readonly [Id in EndpointId]?: MakeExample }

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
export const byKey = (world: World) => bearer(world.key)
export const byUser = (world: World) => portalCookie(world.server, 'owner', world.scope.orgId)
export const ofKey: MakeExample = (world) => ({ headers: byKey(world), params: { id: world.live.id } })
export const ofUser: MakeExample = async (world) => ({ headers: await byUser(world), params: { id: world.live.id } })
export const ofScheduled: MakeExample = async (world) => {
  const session = await scheduleSession(world.server.client(world.key))
  return { headers: byKey(world), params: { id: session.id } }
}
export const ofAgent = (world: World) => ({ headers: bearer(world.live.agent), params: { id: world.live.id } })
export const ofOrg = async (world: World) => ({ headers: await byUser(world), params: { orgId: world.scope.orgId } })
