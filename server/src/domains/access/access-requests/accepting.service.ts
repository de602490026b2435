import { type ownerInviteAccept, ServiceError } from '@integrity/protocol'
import type * as z from 'zod'
import type { Needs } from '../../../kernel/call.ts'
import type { IssuedTokens } from '../../../kernel/sign-ins.ts'
import { foundOrg } from '../../organisation/orgs/founding.service.ts'
import { presumeLanguage } from '../../organisation/people/people.service.ts'
import { enter, type Proof, proveAddress, provenAccount } from '../auth/second-factor/proving.service.ts'
import { updateAccessRequest } from './access-requests.store.ts'
import type { AccessRequestRow, OwnerInviteRow } from './access-requests.types.ts'
import { inviteStatusOf, lockInvite, noteStep, readInvite } from './owner-invites.service.ts'

type Body = z.output<typeof ownerInviteAccept>

const refusals = {
  accepted: 'this invitation was accepted already; sign in to the organisation',
  replaced: 'a newer link was sent in place of this one',
  expired: 'this invitation has expired; ask for a new link',
}

const refuseUnusable = (call: Needs<'clock'>, request: AccessRequestRow, invite: OwnerInviteRow): void => {
  const status = inviteStatusOf(request, { invite, now: call.clock.now() })
  if (status !== 'pending') throw new ServiceError('conflict', refusals[status], { extra: { reason: status } })
}

/** Looks at the link and at who comes with it. */
export const proveAcceptance = async (call: Parameters<typeof proveAddress>[0], body: Body): Promise<Proof> => {
  const { invite, request } = await readInvite(call, body.token)
  refuseUnusable(call, request, invite)
  return proveAddress(call, { ...request, given: body })
}

export type FoundedOrg = Awaited<ReturnType<typeof foundOrg>>['org']
type Accepts = Parameters<typeof enter>[0] & Needs<'keyring'>

/** Makes the organisation and its owner, spends the link and signs in: all of it, or nothing. */
export const acceptInvite = async (
  call: Accepts,
  { body: { token, slug }, proof }: { readonly body: Body; readonly proof: Proof },
): Promise<{ org: FoundedOrg; userId: string; tokens: IssuedTokens }> => {
  const { invite, request } = await lockInvite(call, token)
  refuseUnusable(call, request, invite)
  const userId = await provenAccount(call, { email: request.email, proof })
  await presumeLanguage(call, { userId, locale: request.locale })
  const actor = { kind: 'user', id: userId } as const
  const { org } = await foundOrg({ ...call, actor }, { name: request.organisation, slug, ownerId: userId })
  await updateAccessRequest(call.tx, request.id, { orgId: org.id, acceptedAt: call.clock.now() })
  await noteStep({ ...call, actor }, { requestId: request.id, action: 'accepted' })
  return { org, userId, tokens: await enter(call, { userId, proof }) }
}
