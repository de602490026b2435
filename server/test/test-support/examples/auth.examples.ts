import { beginSignIn } from '../../../src/domains/access/auth/sign-ins/sign-ins.service.ts'
import { goodPassword, passwordToken } from '../password-links.ts'
import { addMember, cookieHeader } from '../portal.ts'
import { testPassword } from '../server.ts'
import type { World } from '../world.ts'
import { byUser, type Examples } from './example.ts'

/** A sign-in of its own, without the password's work: refreshing and signing out use it up. */
const freshCookies = async ({ server, scope }: World): Promise<Record<string, string>> => {
  const owner = server.orgs.find(({ orgId }) => orgId === scope.orgId)
  const { app } = server
  const tokens = await app.db.transact((tx) => beginSignIn({ ...app, tx, reader: tx }, { userId: owner?.userId ?? '' }))
  return cookieHeader({ portal_access: tokens.access, portal_refresh: tokens.refresh })
}

export const authExamples = {
  'auth.login': ({ server, scope }) => {
    const owner = server.orgs.find(({ orgId }) => orgId === scope.orgId)
    return { json: { email: owner?.email, password: testPassword } }
  },
  'auth.refresh': async (world) => ({ headers: await freshCookies(world), json: {} }),
  'auth.logout': async (world) => ({ headers: await freshCookies(world), json: {} }),
  'auth.me': async (world) => ({ headers: await byUser(world) }),
  'auth.me.rename': async (world) => ({ headers: await byUser(world), json: { name: 'Asha Rao' } }),
  'auth.password.forgot': ({ server }) => ({ json: { email: server.orgs[0].email } }),
  'auth.password.reset': async ({ server }) => ({
    json: { token: await passwordToken(server, (await addMember(server, 'reviewer')).email), password: goodPassword },
  }),
} satisfies Examples
