import { createLinkPagePorts, type LinkPagePorts } from '@integrity/shared-ui/browser/link-page'
import { Visit } from '@integrity/shared-ui/session/visit'
import { endpointTable } from '../generated/requests-endpoints.ts'
import type { BareLink, PageLink } from '../link/page-link.ts'
import { createLinkCall } from '../session/link-call.ts'
import type { RequestsCall, RequestsFacts } from '../session/requests-api.ts'

/** The requests of a session as they are open in this browser. */
export interface OpenRequests extends Pick<LinkPagePorts, 'baseUrl' | 'time'> {
  /** Where one is known; it may be of a link that was cut off. */
  readonly sessionId: string | undefined
  readonly call: RequestsCall
  /** Without a token nothing can be read: a link has to be asked for first. */
  readonly visit: Visit<RequestsFacts> | undefined
}

export const openRequests = (link: PageLink | BareLink | undefined): OpenRequests => {
  const { baseUrl, time, page, fetch, onDate } = createLinkPagePorts()
  const call: RequestsCall = createLinkCall({ table: endpointTable, baseUrl, token: link?.token, fetch, onDate })
  const visit = link?.token ? new Visit({ read: () => call.ask('candidateRequests.view', {}), time, page }) : undefined
  void visit?.refresh()
  return { sessionId: link?.subject, call, visit, time, baseUrl }
}
