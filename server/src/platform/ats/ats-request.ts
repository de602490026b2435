import type { HttpOut } from '../http-out/http-out.ts'
import { askProvider, type ProviderAnswer } from '../provider/ask-provider.ts'
import { ProviderFailed } from '../provider/provider-failed.ts'
import type { Applicant } from './types.ts'

export type Http = Pick<HttpOut, 'request'>
export interface AtsRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly json?: unknown
}

export const basic = (name: string, secret = ''): string =>
  `Basic ${Buffer.from(`${name}:${secret}`, 'utf8').toString('base64')}`

/** What was asked for is not there, or not shown to these credentials. */
export class NotThere extends ProviderFailed {
  constructor(name: string, code?: string) {
    super('refused', `${name} has no such candidate or application, or hides it${inBrackets(code)}`)
  }
}

const inBrackets = (...parts: readonly (string | number | undefined)[]): string => {
  const said = parts.filter((part) => part !== undefined)
  return said.length === 0 ? '' : ` (${said.join(', ')})`
}

const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined

/**
 * The code of a refusal, where the makers put it: `code`, `errorInfo.code`, or the first of `errors`, which is a code or has
 * one. Their sentences are left out: they may repeat what was sent.
 */
export const codeIn = (answer: unknown): string | undefined => {
  const [first] = [fieldOf(answer, 'errors')].flat()
  const places = [fieldOf(fieldOf(answer, 'errorInfo'), 'code'), fieldOf(answer, 'code'), fieldOf(first, 'code'), first]
  return places.find((one): one is string => typeof one === 'string' && /^[a-z][\w.-]{0,59}$/i.test(one))
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @throws ProviderFailed for what the status says */
export const checkStatus = (name: string, { status, text }: ProviderAnswer): void => {
  if (status < 300) return
  const code = codeIn(jsonOf(text))
  if (status === 401) throw new ProviderFailed('ends', `${name} does not take the credentials${inBrackets(code)}`)
  if (status === 403)
    throw new ProviderFailed(
      'refused',
      `${name} does not let these credentials do that: a right is missing${inBrackets(code)}`,
    )
  if (status === 404 || status === 410) throw new NotThere(name, code)
  throw new ProviderFailed('refused', `${name} refuses it${inBrackets(status, code)}`)
}

/** One call to an applicant tracking system. @throws ProviderFailed */
export const askAts = async (http: Http, name: string, request: AtsRequest): Promise<ProviderAnswer> => {
  const { method, url, headers, json } = request
  const answer = await askProvider(http, name, {
    method,
    url,
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

/**
 * Writes beside a candidate. Where that one is gone, the application may be another candidate's by now, with whom the first
 * one was merged: then beside that one. Answers whom it was written beside.
 */
export const writeBeside = async (
  { applicationId, candidateId }: Applicant,
  write: (candidateId: string) => Promise<void>,
  readApplication: (applicationId: string) => Promise<Applicant>,
): Promise<string> => {
  try {
    await write(candidateId)
    return candidateId
  } catch (error) {
    if (!(error instanceof NotThere)) throw error
    const now = await readApplication(applicationId)
    if (now.candidateId === candidateId) throw error
    await write(now.candidateId)
    return now.candidateId
  }
}
