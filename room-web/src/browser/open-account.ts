import { createCaller } from '@integrity/client/caller'
import type { EveryEndpoint } from '@integrity/client/contract-types'
import { endpointTable } from '../generated/account-endpoints.ts'
import { type Account, type AccountCaller, readAccount, renewing, type SecondStep } from '../session/account-api.ts'
import { Visit } from '@integrity/shared-ui/session/visit'
import { takeArrivedAgreement } from './arrived-agreement.ts'
import { takeArrivedStep } from './arrived-step.ts'
import { createLinkPagePorts } from '@integrity/shared-ui/browser/link-page'

export interface OpenAccount {
  /** For who is not signed in yet. */
  readonly caller: AccountCaller
  /** For who is. */
  readonly own: AccountCaller
  readonly visit: Visit<{ readonly account: Account | undefined }>
  /** The second step of a sign-in that began elsewhere: once, for it is over after that. */
  readonly takeArrived: () => SecondStep | undefined
  /** The token of the mailed link by which the account agrees, until it is used or put off. */
  readonly agreement: { readonly token: () => string | undefined; readonly drop: () => void }
}

export const openAccount = (): OpenAccount => {
  const { baseUrl, time, page, fetch, onDate } = createLinkPagePorts()
  const options = { table: endpointTable, baseUrl, token: undefined, fetch, onDate, timeoutMs: 20_000 }
  const caller = createCaller<Pick<EveryEndpoint, keyof typeof endpointTable>>(options)
  const own = renewing(caller)
  const visit = new Visit({ read: async () => ({ account: await readAccount(own) }), time, page })
  void visit.refresh()
  let arrived = takeArrivedStep()
  const takeArrived = () => {
    const step = arrived
    arrived = undefined
    return step
  }
  let token = takeArrivedAgreement()
  const agreement = {
    token: () => token,
    drop: () => {
      token = undefined
    },
  }
  return { caller, own, visit, takeArrived, agreement }
}
