import { createCaller } from '@integrity/client/caller'
import type { EveryEndpoint } from '@integrity/client/contract-types'
import { IntegrityError } from '@integrity/client/errors'
import { createLinkPagePorts } from '@integrity/shared-ui/browser/link-page'
import { Visit } from '@integrity/shared-ui/session/visit'
import { endpointTable } from '../generated/invite-endpoints.ts'
import type { PageLink } from '../link/page-link.ts'
import type { InviteCall, InviteInHand } from '../session/invite-api.ts'
import { createLinkCall } from '../session/link-call.ts'

/** An invite behind its link; the token travels in the body. */
export interface OpenInvite {
  readonly call: InviteCall
  readonly token: string
  readonly visit: Visit<InviteInHand>
}

type Used = Pick<EveryEndpoint, keyof typeof endpointTable>

const orNobody = (error: unknown): undefined => {
  if (error instanceof IntegrityError && error.kind === 'unauthorized') return undefined
  throw error
}

export const openInvite = ({ token }: PageLink): OpenInvite => {
  const { baseUrl, time, page, fetch, onDate } = createLinkPagePorts()
  const options = { table: endpointTable, baseUrl, token: undefined, fetch, onDate }
  const call: InviteCall = createLinkCall(options)
  const caller = createCaller<Used>(options)
  const account = () =>
    caller
      .call('auth.me')
      .catch(orNobody)
      // The access cookie lives for minutes, the sign-in for days.
      .then((answer) => answer ?? caller.call('auth.refresh').catch(orNobody))
  const read = async (): Promise<InviteInHand> => {
    const invite = await call.ask('invites.inspect', { token })
    const signedInAs = invite.status === 'pending' ? (await account())?.data.user.email : undefined
    return { invite, signedInAs }
  }
  const visit = new Visit({ read, time, page })
  void visit.refresh()
  return { call, token, visit }
}
