import type { HttpOut } from '../http-out/http-out.ts'
import { askProvider, type ProviderAnswer } from '../provider/ask-provider.ts'
import { ProviderFailed } from '../provider/provider-failed.ts'

export type Http = Pick<HttpOut, 'request'>
export interface AtsRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly json?: unknown
}

export const basic = (name: string, secret = ''): string =>
  `Basic ${Buffer.from(`${name}:${secret}`, 'utf8').toString('base64')}`

/** @throws ProviderFailed for what the status says */
const checkStatus = (name: string, { status }: ProviderAnswer): void => {
  if (status === 401) throw new ProviderFailed('ends', `${name} does not take the credentials`)
  if (status === 403)
    throw new ProviderFailed('refused', `${name} does not let these credentials do that: a right is missing`)
  if (status === 404) throw new ProviderFailed('refused', `${name} has no such candidate or application, or hides it`)
  if (status >= 300) throw new ProviderFailed('refused', `${name} refuses it (${status})`)
}

/** One call to an applicant tracking system. @throws ProviderFailed */
export const askAts = async (http: Http, name: string, request: AtsRequest): Promise<ProviderAnswer> => {
  const { method, url, headers, json } = request
  const answer = await askProvider(http, name, {
    ...{ method, url },
    headers: {
      accept: 'application/json',
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })
  checkStatus(name, answer)
  return answer
}

/** Nobody has more notes than so many pages hold. */
const maxPages = 50

/**
 * Whether one of a candidate's notes has this name in it, page by page. `pageAt`: the page behind what the last one said, or the
 * first one. A list that cannot be read has none.
 */
export const holdsRef = async (
  pageAt: (behind: string | undefined) => Promise<{ readonly text: string; readonly next: string | undefined }>,
  ref: string,
): Promise<boolean> => {
  try {
    let behind: string | undefined
    for (let page = 1; page <= maxPages; page += 1) {
      const { text, next } = await pageAt(behind)
      if (text.includes(ref)) return true
      if (next === undefined || next === '') return false
      behind = next
    }
    return false
  } catch (error) {
    if (error instanceof ProviderFailed && error.kind === 'refused') return false
    throw error
  }
}
