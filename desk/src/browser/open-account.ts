import { createCaller } from '@integrity/client/caller'
import type { EveryEndpoint } from '@integrity/client/contract-types'
import { createLinkPagePorts, type LinkPagePorts } from '@integrity/shared-ui/browser/link-page'
import { Visit } from '@integrity/shared-ui/session/visit'
import { type Account, type AccountCaller, readAccount, type SecondStep } from '../data/account-api.ts'
import { renewing } from '../data/renewing.ts'
import { endpointTable } from '../generated/account-endpoints.ts'
import { takeArrivedAgreement } from './arrived-agreement.ts'
import { takeArrivedStep } from './arrived-step.ts'

/** What a sign-in needs of the page around it. */
export interface SignIn {
  /** For who is not signed in yet. */
  readonly caller: AccountCaller
  /** Reads who is signed in. */
  readonly visit: { readonly refresh: () => Promise<void> }
  /** The second step of a sign-in that began elsewhere: once, for it is over after that. */
  readonly takeArrived: () => SecondStep | undefined
  /** The page on which a person sets a new password after forgetting theirs. */
  readonly passwordPage: string
  /** The path to come back to from an identity provider; without it, that of the account. */
  readonly returnTo?: () => string
}

export interface OpenAccount extends SignIn {
  /** For who is signed in. */
  readonly own: AccountCaller
  readonly visit: Visit<{ readonly account: Account | undefined }>
  /** The token of the mailed link by which the account agrees, until it is used or put off. */
  readonly agreement: { readonly token: () => string | undefined; readonly drop: () => void }
}

/** The calls of the account, by the ports of the page. */
export const createAccountCaller = ({ baseUrl, fetch, onDate }: LinkPagePorts): AccountCaller =>
  createCaller<Pick<EveryEndpoint, keyof typeof endpointTable>>({
    table: endpointTable,
    baseUrl,
    token: undefined,
    fetch,
    onDate,
    timeoutMs: 20_000,
  })

/** Takes what the address brought, once. */
const takenOnce = <T>(arrived: T | undefined): (() => T | undefined) => {
  let left = arrived
  return () => {
    const taken = left
    left = undefined
    return taken
  }
}

export const signInWith = (
  { baseUrl }: LinkPagePorts,
  parts: Pick<SignIn, 'caller' | 'visit' | 'returnTo'>,
): SignIn => ({ ...parts, takeArrived: takenOnce(takeArrivedStep()), passwordPage: `${baseUrl}/password/` })

export const openAccount = (): OpenAccount => {
  const ports = createLinkPagePorts()
  const { time, page } = ports
  const caller = createAccountCaller(ports)
  const own = renewing(caller, () => caller.call('auth.refresh'))
  const visit = new Visit({ read: async () => ({ account: await readAccount(own) }), time, page })
  void visit.refresh()
  let token = takeArrivedAgreement()
  const agreement = {
    token: () => token,
    drop: () => {
      token = undefined
    },
  }
  return { ...signInWith(ports, { caller, visit }), own, visit, agreement }
}
