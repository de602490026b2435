import { createLinkPagePorts } from '@integrity/shared-ui/browser/link-page'
import { endpointTable } from '../generated/password-endpoints.ts'
import { createLinkCall } from '../session/link-call.ts'
import type { PasswordCall } from '../session/password-api.ts'

/** The token of the link travels in the body. */
export const openPassword = (): PasswordCall => {
  const { baseUrl, fetch, onDate } = createLinkPagePorts()
  return createLinkCall({ table: endpointTable, baseUrl, token: undefined, fetch, onDate })
}
