import type { Caller } from '@integrity/client/caller'
import type { EveryEndpoint } from '@integrity/client/contract-types'
import { IntegrityError } from '@integrity/client/errors'
import type { EndpointMap, ResultOf } from '@integrity/protocol'
import type { endpointTable } from '../generated/account-endpoints.ts'
import { isOver } from './renewing.ts'

export type AccountCaller = Caller<Pick<EveryEndpoint, keyof typeof endpointTable>>
export type Factors = ResultOf<EndpointMap['auth.factors.list']>
export type Factor = Factors['factors'][number]
export type SignIn = ResultOf<EndpointMap['auth.signIns.list']>['items'][number]
export type SecondStep = Extract<ResultOf<EndpointMap['auth.login']>, { secondFactor: unknown }>['secondFactor']

type Person = ResultOf<EndpointMap['auth.me']>['user']

/** Who is signed in, and how the account is kept; undefined for nobody. */
export interface Account {
  readonly email: string
  readonly name: string | null
  readonly factors: Factors
  readonly signIns: readonly SignIn[]
  /** True where the sign-in counts in one organisation alone, so that nothing of the account itself is shown. */
  readonly isLimited: boolean
}

const readOwn = async (own: AccountCaller, { email, name }: Person): Promise<Account> => {
  try {
    const factors = (await own.call('auth.factors.list')).data
    const { items } = (await own.call('auth.signIns.list', { query: { limit: 100 } })).data
    return { email, name, factors, signIns: items, isLimited: false }
  } catch (error) {
    if (reasonOf(error) !== 'not_agreed') throw error
    return {
      email,
      name,
      factors: { factors: [], recoveryCodes: { left: 0 }, required: false },
      signIns: [],
      isLimited: true,
    }
  }
}

export const readAccount = async (own: AccountCaller): Promise<Account | undefined> => {
  try {
    const { user } = (await own.call('auth.me')).data
    return await readOwn(own, user)
  } catch (error) {
    if (isOver(error)) return undefined
    throw error
  }
}

/** Whether what was given is wrong: not the right one, or not of its form. */
export const isWrong = (error: unknown): boolean =>
  error instanceof IntegrityError && ['unauthorized', 'forbidden', 'refused'].includes(error.kind)

/** Whom the organisation's directory knows, and who is let in nowhere here. */
export const isNotLetIn = (error: unknown): boolean => error instanceof IntegrityError && error.kind === 'forbidden'

/** Where an organisation's people sign in: at an address, or with the words of the directory of this slug. */
export interface SsoInstead {
  readonly url: string | undefined
  readonly directory: string | undefined
  readonly required: boolean
}
const insteadOf = (said: Readonly<Record<string, unknown>>, required: boolean): SsoInstead => {
  const { url, orgSlug, method } = said
  return {
    url: typeof url === 'string' && /^https?:/.test(url) ? url : undefined,
    directory: method === 'ldap' && typeof orgSlug === 'string' ? orgSlug : undefined,
    required,
  }
}
export const ssoInsteadOf = (error: unknown): SsoInstead | undefined => {
  if (!(error instanceof IntegrityError) || error.extra['reason'] !== 'sso_required') return undefined
  return insteadOf(error.extra, true)
}

/** The address of a sign-in at an organisation that comes back to this path of the service. */
export const withReturn = (url: string, returnTo: string | undefined): string => {
  if (returnTo === undefined) return url
  const address = new URL(url)
  address.searchParams.set('returnTo', returnTo)
  return address.href
}

/** Where the people of an address's organisation sign in; undefined where by a password alone. */
export const findSso = async (caller: AccountCaller, email: string): Promise<SsoInstead | undefined> => {
  const { data } = await caller.call('sso.discover', { body: { email } })
  return data.method === 'password' ? undefined : insteadOf(data, data.required)
}

/** Why the service refused, in one word of its own. */
export const reasonOf = (error: unknown): unknown =>
  error instanceof IntegrityError ? error.extra['reason'] : undefined
