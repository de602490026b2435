import type { Visit } from '@integrity/shared-ui/session/visit'
import type { OpenRequests } from '../../browser/open-requests.ts'
import type { RequestsFacts } from '../../session/requests-api.ts'

/** What the page of what is kept hands to each of its parts. */
export interface KeptProps {
  readonly requests: OpenRequests
  readonly visit: Visit<RequestsFacts>
  readonly facts: RequestsFacts
}
