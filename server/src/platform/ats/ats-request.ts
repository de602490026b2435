import type * as z from 'zod'
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

export const parsed = <T>(name: string, text: string, shape: z.ZodType<T>): T => {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw new ProviderFailed('waits', `${name} answers something that is no JSON`)
  }
  const known = shape.safeParse(given)
  if (!known.success) throw new ProviderFailed('refused', `${name} answers something else than its interface says`)
  return known.data
}

/** One call to an applicant tracking system. @throws ProviderFailed */
export const askAts = async (http: Http, name: string, request: AtsRequest): Promise<ProviderAnswer> => {
  const { method, url, headers, json } = request
  const answer = await askProvider(http, name, {
    ...{ method, url },
    headers: {
      accept: 'application/json',
      ...headers,
      ...(json !== undefined && { 'content-type': 'application/json' }),
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })
  checkStatus(name, answer)
  return answer
}

/** Whether an answer that lists notes has one with this name in it. A list that cannot be read has none. */
export const holdsRef = async (asking: Promise<ProviderAnswer>, ref: string): Promise<boolean> => {
  try {
    return (await asking).text.includes(ref)
  } catch (error) {
    if (error instanceof ProviderFailed && error.kind === 'refused') return false
    throw error
  }
}
