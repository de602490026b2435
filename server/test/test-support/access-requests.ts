import { type accessRequest, ownerInviteDays } from '@integrity/protocol'
import type * as z from 'zod'
import { unwrapInvite } from '../../src/domains/access/access-requests/owner-invites.service.ts'
import { deskScope } from '../../src/domains/access/access-requests/requesting.service.ts'
import { operatorCookie } from './portal.ts'
import type { TestServer } from './server.ts'

export interface AccessRequest extends z.output<typeof accessRequest> {}

let made = 0
export const anAccessRequest = (more: object = {}) => {
  made += 1
  return {
    organisation: `Bright Hiring ${made}`,
    name: 'Asha Rao',
    email: `asha${made}@bright.example`,
    country: 'IN',
    sessionsPerMonth: 40,
    message: 'We interview engineers in three cities.',
    ...more,
  }
}

/** A pending request, as somebody would send it. */
export const pendingRequest = async (server: TestServer, more: object = {}) => {
  const asked = anAccessRequest(more)
  await server.client().call('accessRequests.create', { body: asked })
  const row = await server.app.db.reader.get<{ id: string; email: string }>(
    'SELECT request_id AS id, email FROM access_requests WHERE email = ? ORDER BY created_at DESC, request_id DESC',
    [asked.email.trim().toLowerCase()],
  )
  if (!row) throw new Error('the request was not noted')
  return { ...asked, ...row }
}

/** The token of the newest link of a request, as the job that mails it would read it. */
export const newestToken = async ({ app }: TestServer, requestId: string): Promise<string> => {
  const invite = await app.db.reader.get<{ id: string }>(
    'SELECT invite_id AS id FROM owner_invites WHERE request_id = ? AND ended_at IS NULL',
    [requestId],
  )
  const jobs = await app.db.reader.all<{ payload: string }>(
    "SELECT payload FROM jobs WHERE org_id = ? AND kind = 'access_requests.invite'",
    [deskScope.orgId],
  )
  const found = jobs
    .map(({ payload }) => JSON.parse(payload) as { inviteId: string; wrapped: string })
    .find(({ inviteId }) => inviteId === invite?.id)
  if (!found) throw new Error('no link was made')
  return unwrapInvite(app, { inviteId: found.inviteId, wrapped: found.wrapped })
}

export const approvedRequest = async (server: TestServer, more: object = {}) => {
  const request = await pendingRequest(server, more)
  await server
    .client()
    .call('accessRequests.approve', { headers: await operatorCookie(server), params: { id: request.id } })
  return { ...request, token: await newestToken(server, request.id) }
}

/** One whose link is too old, without moving the clock for others. */
export const expiredRequest = async (server: TestServer, more: object = {}) => {
  const request = await approvedRequest(server, more)
  const before = ownerInviteDays * 24 * 3_600_000
  await server.app.db.transact((tx) =>
    tx.run('UPDATE owner_invites SET created_at = created_at - ?, expires_at = expires_at - ? WHERE request_id = ?', [
      ...[before, before, request.id],
    ]),
  )
  return request
}
