import { beginSignIn } from '../../src/domains/access/auth/sign-ins/sign-ins.service.ts'
import { accessCookie } from './portal.ts'
import type { TestServer } from './server.ts'

/** The access cookie of a new sign-in, without the password's work. */
export const seatOf = async (server: TestServer, userId: string): Promise<{ cookie: string }> => {
  const { app } = server
  const tokens = await app.db.transact((tx) => beginSignIn({ ...app, tx, reader: tx }, { userId }))
  return accessCookie(server, tokens.access)
}

/** The same of a sign-in that an organisation vouches for. */
export const vouchedSeatOf = async (
  server: TestServer,
  { userId, orgId }: { readonly userId: string; readonly orgId: string },
): Promise<{ cookie: string }> => {
  const { app } = server
  const vouched = { orgId, portalSessionId: app.newId('pss'), provider: 'https://idp.example' }
  const tokens = await app.db.transact((tx) => beginSignIn({ ...app, tx, reader: tx }, { userId, vouched }))
  return accessCookie(server, tokens.access)
}
