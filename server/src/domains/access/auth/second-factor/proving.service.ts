import { invalid, ServiceError } from '@integrity/protocol'
import type { Needs } from '../../../../kernel/call.ts'
import type { IssuedTokens, PortalTokens } from '../../../../kernel/sign-ins.ts'
import { hashNewPassword } from '../../../organisation/people/passwords.service.ts'
import { accountFor, isEmailTaken, setPassword } from '../../../organisation/people/people.service.ts'
import { login, type ProvenLogin, proveLogin } from '../sign-ins/login.service.ts'
import { findAccount } from '../sign-ins/portal-actor.service.ts'
import { beginSignIn, issueTokens } from '../sign-ins/sign-ins.service.ts'

/** How whoever follows a link to an address showed that its account is theirs, or that there is none yet. */
export type Proof =
  | { readonly kind: 'signed_in'; readonly userId: string; readonly portalSessionId: string }
  | { readonly kind: 'password'; readonly login: ProvenLogin }
  | { readonly kind: 'new'; readonly name: string; readonly passwordHash: string }

interface Given {
  readonly name?: string | undefined
  readonly password?: string | undefined
}

const accountNeeded = () =>
  new ServiceError('unauthorized', 'this address has an account: sign in to it, or give its password', {
    headers: { 'WWW-Authenticate': 'Bearer' },
    extra: { reason: 'account_needed' },
  })

/** The same whether or not the address of the link has an account. */
const wrongAddress = () =>
  new ServiceError(
    'forbidden',
    'this link is for another address than the one you are signed in with: sign out first',
    {
      extra: { reason: 'wrong_address' },
    },
  )

type Proves = Parameters<typeof proveLogin>[0] &
  Needs<'credentials'> & { readonly address: string; readonly cookies: PortalTokens }

const proveNew = async (email: string, organisation: string, { name, password }: Given): Promise<Proof> => {
  if (name === undefined) throw invalid('name', 'is needed for a new account')
  if (password === undefined) throw invalid('password', 'is needed for a new account')
  return { kind: 'new', name, passwordHash: await hashNewPassword(password, { email, name, organisation }) }
}

/** Looks at who comes with a link to a normalised address, before any transaction: passwords take their time. */
export const proveAddress = async (
  call: Proves,
  { email, organisation, given }: { readonly email: string; readonly organisation: string; readonly given: Given },
): Promise<Proof> => {
  const { password } = given
  const { access, refresh } = call.cookies
  const signedIn = access === undefined ? undefined : await findAccount(call, access)
  // What another organisation vouches for counts there alone: here the account is asked itself.
  if (signedIn?.email === email && signedIn.onlyIn === null) {
    const { id, portalSessionId } = signedIn
    return { kind: 'signed_in', userId: id, portalSessionId }
  }
  if (signedIn && signedIn.email !== email && password === undefined) throw wrongAddress()
  if (!(await isEmailTaken(call, email))) return proveNew(email, organisation, given)
  if (password === undefined) throw accountNeeded()
  return {
    kind: 'password',
    login: await proveLogin(call, { from: { address: call.address, refresh }, given: { email, password } }),
  }
}

type Enters = Parameters<typeof login>[0]

const secondStepNeeded = () =>
  new ServiceError('unauthorized', 'this account has a second factor: sign in to it, and follow the link again', {
    headers: { 'WWW-Authenticate': 'Bearer' },
    extra: { reason: 'second_factor_needed' },
  })

/** The account that was proved, or a new one. */
export const provenAccount = async (
  call: Enters,
  { email, proof }: { readonly email: string; readonly proof: Proof },
): Promise<string> => {
  if (proof.kind === 'signed_in') return proof.userId
  if (proof.kind === 'password') return proof.login.user.id
  const { id, isNew } = await accountFor(call, { email, name: proof.name })
  // An account that came to be meanwhile is somebody's: it is asked for like any other.
  if (!isNew) throw accountNeeded()
  await setPassword(call, { userId: id, passwordHash: proof.passwordHash })
  return id
}

/** Signs in whoever proved it; who is signed in already gets fresh tokens of that sign-in. A second step is taken elsewhere. */
export const enter = async (
  call: Enters,
  { userId, proof }: { readonly userId: string; readonly proof: Proof },
): Promise<IssuedTokens> => {
  if (proof.kind === 'password') {
    const tokens = await login(call, proof.login)
    if ('challengeToken' in tokens) throw secondStepNeeded()
    return tokens
  }
  return proof.kind === 'signed_in' ? issueTokens(call, proof.portalSessionId) : beginSignIn(call, { userId })
}
