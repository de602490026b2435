import { freshAddress, pendingInvite } from '../invites.ts'
import { goodPassword } from '../password-links.ts'
import type { World } from '../world.ts'
import { byUser, type Examples, ofOrg } from './example.ts'

const withInvite = async (world: World) => {
  const { orgId } = world.scope
  const { id } = await pendingInvite(world.server, {}, orgId)
  return { headers: await byUser(world), params: { orgId, inviteId: id } }
}

const listed = new WeakMap<World, Promise<unknown>>()
/** Enough to page. */
const someInvites = (world: World): Promise<unknown> => {
  const known =
    listed.get(world) ??
    Promise.all(Array.from({ length: 3 }, () => pendingInvite(world.server, {}, world.scope.orgId)))
  listed.set(world, known)
  return known
}

export const invitesExamples = {
  'portal.invites.list': async (world) => {
    await someInvites(world)
    return ofOrg(world)
  },
  'portal.invites.create': async (world) => ({
    ...(await ofOrg(world)),
    json: { email: freshAddress(), role: 'reviewer', message: 'We would be glad to have you.' },
  }),
  'portal.invites.resend': withInvite,
  'portal.invites.revoke': withInvite,
  'invites.inspect': async ({ server }) => ({ json: { token: (await pendingInvite(server)).token } }),
  'invites.accept': async ({ server }) => ({
    json: { token: (await pendingInvite(server)).token, name: 'Asha Rao', password: goodPassword },
  }),
} satisfies Examples
