import { createCaller } from '@integrity/client/caller'
import type { EveryEndpoint } from '@integrity/client/contract-types'
import { createLinkPagePorts } from '@integrity/shared-ui/browser/link-page'
import { Visit } from '@integrity/shared-ui/session/visit'
import { endpointTable } from '../generated/access-endpoints.ts'
import type { PageLink } from '../link/page-link.ts'
import type { AccessCall, OwnerInvite } from '../session/access-api.ts'
import { createLinkCall } from '../session/link-call.ts'

/** Where an organisation is asked for, or with a link opened. */
export interface OpenAccess {
  readonly call: AccessCall
  /** Of the link; its token travels in the body. */
  readonly invite: { readonly token: string; readonly visit: Visit<OwnerInvite> } | undefined
  /** Whether anybody may ask; read where there is no link. */
  readonly desk: Visit<{ readonly open: boolean }> | undefined
}

type Used = Pick<EveryEndpoint, keyof typeof endpointTable>

export const openAccess = (link: PageLink | undefined): OpenAccess => {
  const { baseUrl, time, page, fetch, onDate } = createLinkPagePorts()
  const options = { table: endpointTable, baseUrl, token: undefined, fetch, onDate }
  const call: AccessCall = createLinkCall(options)
  if (link) {
    const { token } = link
    const visit = new Visit({ read: () => call.ask('ownerInvites.inspect', { token }), time, page })
    void visit.refresh()
    return { call, invite: { token, visit }, desk: undefined }
  }
  const caller = createCaller<Used>(options)
  const desk = new Visit({ read: async () => (await caller.call('accessRequests.availability')).data, time, page })
  void desk.refresh()
  return { call, invite: undefined, desk }
}
