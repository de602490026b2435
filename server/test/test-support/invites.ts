import { inviteDays, type invite as inviteSchema } from '@integrity/protocol'
import type * as z from 'zod'
import { unwrapToken } from '../../src/domains/access/invites/invites.service.ts'
import { portalCookie } from './portal.ts'
import type { TestServer } from './server.ts'

export interface Invite extends z.output<typeof inviteSchema> {}

/** The token of the newest link of an invite, as the job that mails it would read it. */
export const inviteToken = async ({ app }: TestServer, id: string): Promise<string> => {
  const jobs = await app.db.reader.all<{ payload: string }>("SELECT payload FROM jobs WHERE kind = 'invite.mail'")
  // Ids sort by time.
  const newest = jobs
    .map(({ payload }) => JSON.parse(payload) as { inviteId: string; linkId: string; wrapped: string })
    .filter(({ inviteId }) => inviteId === id)
    .sort((a, b) => (a.linkId < b.linkId ? -1 : 1))
    .at(-1)
  if (!newest) throw new Error(`the invite ${id} has no link`)
  return unwrapToken(app, { linkId: newest.linkId, wrapped: newest.wrapped })
}

let made = 0
export const freshAddress = (): string => {
  made += 1
  return `invited${made}@example.org`
}

/** An invite that an owner has just made, with the token of its link. */
export const pendingInvite = async (
  server: TestServer,
  body: {
    readonly email?: string
    readonly role?: Invite['role']
    readonly customRoleId?: string
    readonly message?: string
    readonly locale?: string
  } = {},
  orgId: string = server.orgs[0].orgId,
): Promise<Invite & { readonly token: string }> => {
  const headers = await portalCookie(server, 'owner', orgId)
  const asked = { email: freshAddress(), role: 'reviewer' as const, ...body }
  const { data } = await server.client().call('portal.invites.create', { params: { orgId }, headers, body: asked })
  return { ...data, token: await inviteToken(server, data.id) }
}

/** Makes an invite's time be over, without moving the clock for others. */
export const expireInvite = ({ app }: TestServer, id: string): Promise<unknown> =>
  app.db.transact((tx) =>
    tx.run('UPDATE invites SET created_at = created_at - ?, expires_at = expires_at - ? WHERE invite_id = ?', [
      inviteDays * 86_400_000,
      inviteDays * 86_400_000,
      id,
    ]),
  )
