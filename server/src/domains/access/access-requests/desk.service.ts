import { notFound, ownerInviteResendsPerHour, ServiceError } from '@integrity/protocol'
import type { Needs, WriteCall } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { type List, readPage } from '../../../kernel/paging.ts'
import { rateLimited } from '../../../kernel/rate-limited.ts'
import { lockAccessRequest, pageOfAccessRequests, updateAccessRequest } from './access-requests.store.ts'
import type { AccessRequestRow, AccessStatus, OwnerInviteRow } from './access-requests.types.ts'
import { noteStep, sendInvite } from './owner-invites.service.ts'
import { countInvites, findNewestInvite, listNewestInvites } from './owner-invites.store.ts'
import { deskScope } from './requesting.service.ts'

const hourMs = 3_600_000

/** A request with the newest link to it. */
export interface DeskRequest {
  readonly request: AccessRequestRow
  readonly invite: OwnerInviteRow | undefined
}

type Decides = Omit<WriteCall<ActorOf<'desk_operator'>>, 'scope'> & Needs<'keyring'>

/** A page, newest first. */
export const listRequests = async (
  call: Needs<'reader'>,
  query: { readonly status?: AccessStatus | undefined; readonly limit: number; readonly cursor?: string | undefined },
) => {
  const { reader } = call
  const { status, limit, cursor } = query
  const list: List<AccessRequestRow> = {
    of: ['access requests', status ?? null],
    kinds: ['number', 'string'],
    keyOf: ({ createdAt, id }) => [createdAt, id],
    fetch: (stretch) => pageOfAccessRequests(reader, status, stretch),
  }
  const { rows, nextCursor } = await readPage(list, { limit, cursor, offset: 0 })
  const invites = await listNewestInvites(
    reader,
    rows.map(({ id }) => id),
  )
  return { rows: rows.map((request): DeskRequest => ({ request, invite: invites.get(request.id) })), nextCursor }
}

const lock = async (call: Needs<'tx'>, id: string): Promise<AccessRequestRow> => {
  const request = await lockAccessRequest(call.tx, id)
  if (!request) throw notFound('access request')
  return request
}

const decide = async (
  call: Decides,
  id: string,
  decision: { readonly status: 'approved' | 'declined'; readonly declineMessage?: string | undefined },
): Promise<AccessRequestRow> => {
  const { tx, actor } = call
  const request = await lock(call, id)
  if (request.status !== 'pending') throw new ServiceError('conflict', `this request is ${request.status} already`)
  const { status, declineMessage = null } = decision
  const changes = { status, declineMessage, decidedAt: call.clock.now(), decidedBy: actor.email }
  await updateAccessRequest(tx, id, changes)
  await noteStep(call, { requestId: id, action: status })
  return { ...request, ...changes }
}

/** Approves a pending request and mails the invitation to its first owner. */
export const approve = async (call: Decides, id: string): Promise<DeskRequest> => {
  const request = await decide(call, id, { status: 'approved' })
  await sendInvite(call, { requestId: id, origin: 'approved' })
  return { request, invite: await findNewestInvite(call.tx, id) }
}

/** Declines a pending request, of which its sender is told. */
export const decline = async (
  call: Decides,
  { id, message }: { readonly id: string; readonly message: string | undefined },
): Promise<DeskRequest> => {
  const request = await decide(call, id, { status: 'declined', declineMessage: message })
  await call.jobs.enqueue(
    { ...call, scope: deskScope },
    { kind: 'access_requests.declined', payload: { requestId: id } },
  )
  return { request, invite: undefined }
}

/** Mails a new link in place of the one before, whether or not that one still works. */
export const resend = async (call: Decides, id: string): Promise<DeskRequest> => {
  const { tx } = call
  const request = await lock(call, id)
  if (request.status !== 'approved') throw new ServiceError('conflict', `this request is ${request.status}`)
  if (request.orgId !== null) throw new ServiceError('conflict', 'this invitation was accepted already')
  const limit = ownerInviteResendsPerHour
  if ((await countInvites(tx, id, 'resent', call.clock.now() - hourMs)) >= limit) {
    const hit = { limit, waitSeconds: hourMs / 1000, windowSeconds: hourMs / 1000 }
    throw rateLimited(`${limit} links in an hour are the ceiling of one request`, hit)
  }
  await sendInvite(call, { requestId: id, origin: 'resent' })
  await noteStep(call, { requestId: id, action: 'resent' })
  return { request, invite: await findNewestInvite(tx, id) }
}
