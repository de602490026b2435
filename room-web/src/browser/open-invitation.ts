import { chosenLanguage } from '@integrity/shared-ui/browser/chosen-language'
import { createLinkPagePorts, type LinkPagePorts } from '@integrity/shared-ui/browser/link-page'
import { Visit } from '@integrity/shared-ui/session/visit'
import { endpointTable } from '../generated/invitation-endpoints.ts'
import { keepPageLink, type PageLink } from '../link/page-link.ts'
import type { InvitationCall, InvitationFacts } from '../session/invitation-api.ts'
import { createLinkCall } from '../session/link-call.ts'
import { invitationLanguages } from '../texts/invitation.ts'

/** An invitation's page as it is open in this browser. */
export interface OpenInvitation extends Pick<LinkPagePorts, 'baseUrl' | 'time' | 'page'> {
  readonly sessionId: string
  readonly call: InvitationCall
  readonly visit: Visit<InvitationFacts>
  /** Goes to the page of the requests: with a token of theirs, or without one, to ask for a link by e-mail. */
  readonly toRequests: (token?: string) => void
}

export const openInvitation = ({ subject: sessionId, token }: PageLink): OpenInvitation => {
  const { baseUrl, time, page, fetch, onDate } = createLinkPagePorts()
  const call: InvitationCall = createLinkCall({ table: endpointTable, baseUrl, token, fetch, onDate })
  const read = () => call.ask('invitations.inspect', { locale: chosenLanguage(invitationLanguages).code })
  const visit = new Visit({ read, time, page })
  void visit.refresh()
  const toRequests = (ofRequests?: string) => {
    const link = { page: 'requests', subject: sessionId } as const
    keepPageLink(window, ofRequests === undefined ? link : { ...link, token: ofRequests })
    location.assign('../requests/')
  }
  return { sessionId, call, visit, baseUrl, time, page, toRequests }
}
