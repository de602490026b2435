import { invalid } from '@integrity/protocol'
import { askProvider } from '../provider/ask-provider.ts'
import { basic, checkStatus, type Http } from './ats-request.ts'
import type { AtsAddresses } from './types.ts'

const name = 'Greenhouse'

/** Whether an address is Greenhouse's own: with our key, nobody else is asked anything. */
const isTheirs = (text: string, { greenhouse_assessment: instead }: AtsAddresses): boolean => {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '' || text.includes('#')) return false
  if (instead !== undefined && url.origin === new URL(instead).origin) return true
  return url.protocol === 'https:' && url.port === '' && /(^|\.)greenhouse\.io$/.test(url.hostname)
}

/** The address that `send_test` gives. @throws ServiceError where it is somebody else's */
export const readCallback = (url: string, addresses: AtsAddresses): string => {
  if (isTheirs(url, addresses)) return url
  throw invalid('url', 'must be an https address of greenhouse.io')
}

const digits = /^\d{1,18}$/

/**
 * Whose test it is: `…/people/<person>?application_id=<application>`, the one place where Greenhouse says so.
 * @throws ServiceError naming the field
 */
export const readProfile = (text: string): { readonly candidateId: string; readonly applicationId: string } => {
  const url = URL.parse(text)
  const [, candidateId = ''] = /^\/people\/(\d{1,18})(?:\/|$)/.exec(url?.pathname ?? '') ?? []
  const applicationId = url?.searchParams.get('application_id') ?? ''
  if (candidateId !== '' && digits.test(applicationId)) return { candidateId, applicationId }
  throw invalid('candidate.greenhouse_profile_url', 'must be …/people/<person>?application_id=<application>, in digits')
}

/**
 * Has Greenhouse read the status again (PATCH, without a body): it says only that there is news. @throws ProviderFailed
 * where it is refused or cannot be asked; ServiceError where the address is none of theirs any more
 */
export const askToLookAgain = async (
  http: Http,
  { url, key, addresses }: { readonly url: string; readonly key: string; readonly addresses: AtsAddresses },
): Promise<void> => {
  const headers = { accept: 'application/json', authorization: basic(key) }
  const answer = await askProvider(http, name, { method: 'PATCH', url: readCallback(url, addresses), headers })
  checkStatus(name, answer)
}
