import { invalid, type ownerInviteAccept, ServiceError } from '@integrity/protocol'
import type * as z from 'zod'
import type { Needs, Writes } from '../../kernel/call.ts'
import type { IssuedTokens, PortalTokens } from '../../kernel/sign-ins.ts'
import { login, type ProvenLogin, proveLogin } from '../auth/login.service.ts'
import { findAccount } from '../auth/portal-actor.service.ts'
import { beginSignIn, issueTokens } from '../auth/sign-ins.service.ts'
import { foundOrg } from '../orgs/founding.service.ts'
import { hashNewPassword } from '../people/passwords.service.ts'
import { addUser, isEmailTaken } from '../people/people.service.ts'
import { updateAccessRequest } from './access-requests.store.ts'
import type { AccessRequestRow, OwnerInviteRow } from './access-requests.types.ts'
import { inviteStatusOf, lockInvite, noteStep, readInvite } from './owner-invites.service.ts'

type Body = z.output<typeof ownerInviteAccept>

/** How whoever accepts showed that the address is theirs beyond the link: by its account, or there is none yet. */
export type Proof =
  | { readonly kind: 'signed_in'; readonly userId: string; readonly portalSessionId: string }
  | { readonly kind: 'password'; readonly login: ProvenLogin }
  | { readonly kind: 'new'; readonly name: string; readonly passwordHash: string }

const refusals = {
  accepted: 'this invitation was accepted already; sign in to the organisation',
  replaced: 'a newer link was sent in place of this one',
  expired: 'this invitation has expired; have a fresh link sent',
}

const refuseUnusable = (call: Needs<'clock'>, request: AccessRequestRow, invite: OwnerInviteRow): void => {
  const status = inviteStatusOf(request, invite, call.clock.now())
  if (status !== 'pending') throw new ServiceError('conflict', refusals[status], { extra: { reason: status } })
}

const accountNeeded = () =>
  new ServiceError('unauthorized', 'this address has an account: sign in to it, or give its password', {
    headers: { 'WWW-Authenticate': 'Bearer' },
    extra: { reason: 'account_needed' },
  })

type Proves = Parameters<typeof proveLogin>[0] &
  Needs<'credentials'> & { readonly address: string; readonly cookies: PortalTokens }

const proveAccount = async (call: Proves, email: string, { password }: Body): Promise<Proof> => {
  const { access, refresh } = call.cookies
  const signedIn = access === undefined ? undefined : await findAccount(call, access)
  if (signedIn?.email === email) {
    const { id, portalSessionId } = signedIn
    return { kind: 'signed_in', userId: id, portalSessionId }
  }
  if (password === undefined) throw accountNeeded()
  return { kind: 'password', login: await proveLogin(call, { address: call.address, refresh }, { email, password }) }
}

const proveNew = async ({ email, organisation }: AccessRequestRow, { name, password }: Body): Promise<Proof> => {
  if (name === undefined) throw invalid('name', 'is needed for a new account')
  if (password === undefined) throw invalid('password', 'is needed for a new account')
  return { kind: 'new', name, passwordHash: await hashNewPassword(password, { email, name, organisation }) }
}

/** Looks at the link and at who comes with it, before any transaction: passwords take their time. */
export const proveAcceptance = async (call: Proves, body: Body): Promise<Proof> => {
  const { invite, request } = await readInvite(call, body.token)
  refuseUnusable(call, request, invite)
  return (await isEmailTaken(call, request.email)) ? proveAccount(call, request.email, body) : proveNew(request, body)
}

export type FoundedOrg = Awaited<ReturnType<typeof foundOrg>>['org']
type Accepts = Pick<Writes, 'tx' | 'reader'> & Needs<'audit' | 'clock' | 'keyring' | 'newId'>

const ownerOf = async (call: Accepts, { email }: AccessRequestRow, proof: Proof): Promise<string> => {
  if (proof.kind === 'signed_in') return proof.userId
  if (proof.kind === 'password') return proof.login.user.id
  // An account that came to be meanwhile is somebody's: it is asked for like any other.
  if (await isEmailTaken(call, email)) throw accountNeeded()
  const id = call.newId('usr')
  const { name, passwordHash } = proof
  await addUser(call, { id, email, name, passwordHash, now: call.clock.now() })
  return id
}

const signIn = (call: Accepts, userId: string, proof: Proof): Promise<IssuedTokens> => {
  if (proof.kind === 'password') return login(call, proof.login)
  return proof.kind === 'signed_in' ? issueTokens(call, proof.portalSessionId) : beginSignIn(call, userId)
}

/** Makes the organisation and its owner, spends the link and signs in: all of it, or nothing. */
export const acceptInvite = async (
  call: Accepts,
  { token, slug }: Body,
  proof: Proof,
): Promise<{ org: FoundedOrg; userId: string; tokens: IssuedTokens }> => {
  const { invite, request } = await lockInvite(call, token)
  refuseUnusable(call, request, invite)
  const userId = await ownerOf(call, request, proof)
  const actor = { kind: 'user', id: userId } as const
  const { org } = await foundOrg({ ...call, actor }, { name: request.organisation, slug, ownerId: userId })
  await updateAccessRequest(call.tx, request.id, { orgId: org.id, acceptedAt: call.clock.now() })
  await noteStep({ ...call, actor }, request.id, 'accepted')
  return { org, userId, tokens: await signIn(call, userId, proof) }
}
