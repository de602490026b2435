import { createLinkPagePorts } from '@integrity/shared-ui/browser/link-page'
import { Visit } from '@integrity/shared-ui/session/visit'
import { endpointTable } from '../generated/interviewer-endpoints.ts'
import type { PageLink } from '../link/page-link.ts'
import type { InterviewerFacts } from '../session/interviewer-api.ts'
import { createLinkCall } from '../session/link-call.ts'

/** What is kept of the interviewer whom a link was sent to. */
export const openInterviewer = ({ token }: PageLink): Visit<InterviewerFacts> => {
  const { baseUrl, time, page, fetch, onDate } = createLinkPagePorts()
  const call = createLinkCall<keyof typeof endpointTable>({ table: endpointTable, baseUrl, token, fetch, onDate })
  const visit = new Visit({ read: () => call.ask('interviewers.inspect', {}), time, page })
  void visit.refresh()
  return visit
}
