import {
  notFound,
  ownerInviteDays,
  ownerInviteRenewalSeconds,
  ownerInviteRenewals,
  secretPrefixes,
} from '@integrity/protocol'
import type { By, Needs } from '../../../kernel/call.ts'
import type { AuditActor } from '../../../kernel/identity/actor.ts'
import { hashSecret, newSecret } from '../../../platform/crypto/secrets.ts'
import { isEmailTaken } from '../../organisation/people/people.service.ts'
import { type AccessStep, insertStep } from './access-log.store.ts'
import { findAccessRequest, lockAccessRequest, updateAccessRequest } from './access-requests.store.ts'
import type { AccessRequestRow, InviteStatus, OwnerInviteRow } from './access-requests.types.ts'
import { countInvites, findInviteByHash, findNewestInvite, replaceInvite } from './owner-invites.store.ts'
import { deskScope } from './requesting.service.ts'

const dayMs = 24 * 3_600_000

export const inviteStatusOf = (
  request: AccessRequestRow,
  { invite, now }: { readonly invite: OwnerInviteRow; readonly now: number },
): InviteStatus => {
  if (request.orgId !== null) return 'accepted'
  if (invite.endedAt !== null) return 'replaced'
  return now < invite.expiresAt ? 'pending' : 'expired'
}

/** Notes who did what, for good. */
export const noteStep = (
  call: By<AuditActor> & Needs<'clock' | 'newId' | 'tx'>,
  { requestId, action }: { readonly requestId: string; readonly action: AccessStep },
): Promise<void> =>
  insertStep(call.tx, requestId, { id: call.newId('acl'), at: call.clock.now(), actor: call.actor, action })

const context = (inviteId: string): string => `owner_invite:${inviteId}`

/** The token as a job keeps it: readable with the master key alone. */
export const unwrapInvite = (
  call: Needs<'keyring'>,
  { inviteId, wrapped }: { readonly inviteId: string; readonly wrapped: string },
): string => call.keyring.unwrap(wrapped, context(inviteId)).toString()

/** A new link for a locked request, which is mailed; the one before ends. */
export const sendInvite = async (
  call: Needs<'clock' | 'jobs' | 'keyring' | 'newId' | 'tx'>,
  { requestId, origin }: { readonly requestId: string; readonly origin: OwnerInviteRow['origin'] },
): Promise<void> => {
  const { tx } = call
  const { token, hash } = newSecret(secretPrefixes.owner_invite)
  const id = call.newId('oiv')
  const createdAt = call.clock.now()
  const times = { createdAt, expiresAt: createdAt + ownerInviteDays * dayMs, endedAt: null }
  await replaceInvite(tx, { id, requestId, origin, tokenHash: hash, ...times })
  const wrapped = call.keyring.wrap(Buffer.from(token), context(id))
  await call.jobs.enqueue(
    { ...call, scope: deskScope },
    { kind: 'access_requests.invite', payload: { inviteId: id, wrapped } },
  )
}

const findByToken = async (call: Needs<'reader'>, token: string) => {
  const invite = await findInviteByHash(call.reader, hashSecret(token))
  return invite
}

/** The link of a token and its request, as they are; throws `not_found` for a token that is none. */
export const readInvite = async (call: Needs<'reader'>, token: string) => {
  const invite = await findByToken(call, token)
  const request = invite && (await findAccessRequest(call.reader, invite.requestId))
  if (!request) throw notFound('owner invitation')
  return { invite, request }
}

/** The same with the request locked, so that neither changes before the commit. */
export const lockInvite = async (call: Needs<'reader' | 'tx'>, token: string) => {
  const { invite } = await readInvite(call, token)
  const request = await lockAccessRequest(call.tx, invite.requestId)
  const locked = await findByToken(call, token)
  if (!request || !locked) throw notFound('owner invitation')
  return { invite: locked, request }
}

/** What a link is for. The first look at it is noted, as the funnel counts it. */
export const inspectInvite = async (
  call: By<AuditActor> & Needs<'clock' | 'newId' | 'reader' | 'tx'>,
  token: string,
) => {
  const { invite, request } = await lockInvite(call, token)
  const status = inviteStatusOf(request, { invite, now: call.clock.now() })
  if (request.openedAt === null) {
    await updateAccessRequest(call.tx, request.id, { openedAt: call.clock.now() })
    await noteStep(call, { requestId: request.id, action: 'opened' })
  }
  const hasAccount = status === 'pending' && (await isEmailTaken(call, request.email))
  return { invite, request, status, hasAccount }
}

/**
 * Mails a fresh link in place of one whose time is over, to the same address. What is asked for in vain (a link that still
 * works, one that was accepted, one renewed within the hour, a token that is none) is answered the same.
 */
export const renewInvite = async (
  call: By<AuditActor> & Needs<'clock' | 'jobs' | 'keyring' | 'newId' | 'reader' | 'tx'>,
  token: string,
): Promise<void> => {
  const { tx } = call
  const invite = await findByToken(call, token)
  if (!invite) return
  const request = await lockAccessRequest(tx, invite.requestId)
  const newest = await findNewestInvite(tx, invite.requestId)
  const now = call.clock.now()
  if (request?.status !== 'approved' || request.orgId !== null || !newest) return
  if (now < invite.expiresAt && now < newest.expiresAt) return
  if (now - newest.createdAt < ownerInviteRenewalSeconds * 1000) return
  if ((await countInvites(tx, request.id, 'renewed', 0)) >= ownerInviteRenewals) return
  await sendInvite(call, { requestId: request.id, origin: 'renewed' })
  await noteStep(call, { requestId: request.id, action: 'renewed' })
}
