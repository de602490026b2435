import type { ErrorCode } from '@integrity/protocol'
import { expect } from 'vitest'
import type { TestServer } from './server.ts'

export interface Asked {
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON, text and bytes as they are. */
  readonly body?: unknown
}
/** The data of an answer, as far as the tests reach into it; what an answer does not have fails where it is used. */
export interface Shown {
  readonly id: string
  readonly type: string
  readonly kind: string
  readonly sequence: number
  readonly keyId: string
  readonly total: number
  readonly items: readonly Shown[]
  readonly config: Readonly<Record<string, object>>
  readonly consent: { readonly lanes: Readonly<Record<string, object>> }
  readonly policyVersion: number
  readonly startedAt: string
  readonly erasedAt: string
  readonly expiresAt: string
  readonly updatedAt: string
  readonly cursor: string
  readonly url: string
  readonly secret: string
  readonly joinCode: string
  readonly roomToken: string
  readonly eventId: string
  readonly deliveryId: string
  readonly durationMs: number
  readonly eventCount: number
  readonly endReason: string | null
  readonly state: string
  readonly sandbox: boolean
  readonly scopes: readonly string[]
  readonly session: Shown
  readonly metadata: Readonly<Record<string, unknown>>
}
export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly data: Shown
  readonly error: { code: ErrorCode; message: string; details?: { path: string; message: string }[] } | undefined
}

/** What the interface promises for every answer, whatever was asked. */
const expectUsualHeaders = ({ headers, status }: Response, requestId: unknown): void => {
  expect(headers.get('x-service-api-version')).toBe('v1')
  expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/)
  if (status >= 400) expect(requestId).toBe(headers.get('x-request-id'))
  expect(Number(headers.get('ratelimit-limit'))).toBeGreaterThan(0)
  expect(headers.get('ratelimit-remaining')).toMatch(/^\d+$/)
  expect(headers.get('ratelimit-reset')).toMatch(/^\d+$/)
  expect(headers.get('ratelimit-scope')).toMatch(/^(key|org)$/)
}

/** One request as any HTTP client would make it, by default with the first organisation's sandbox key. */
export const ask = async (server: TestServer, line: string, asked: Asked = {}): Promise<Answered> => {
  const [method = 'GET', path = '/'] = line.split(' ')
  const { key = server.orgs[0].sandboxKey, body } = asked
  const headers: Record<string, string> = key === '' ? {} : { authorization: `Bearer ${key}` }
  const init: RequestInit = { method, headers: Object.assign(headers, asked.headers), redirect: 'manual' }
  if (typeof body === 'string' || body instanceof Uint8Array) init.body = body as string
  else if (body !== undefined) {
    init.body = JSON.stringify(body)
    headers['content-type'] ??= 'application/json'
  }
  const response = await fetch(server.url + path, init)
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
  const json = isJson ? JSON.parse(text) : {}
  expectUsualHeaders(response, method === 'HEAD' ? response.headers.get('x-request-id') : json.requestId)
  return { status: response.status, headers: response.headers, text, data: json.data, error: json.error }
}

/** Status, code and sorted paths of a refusal, for one comparison. */
export const problemOf = ({ status, error, text }: Answered) => {
  if (!error) expect.fail(`was not refused: ${status} ${text}`)
  const paths = [...new Set(error.details?.map((detail) => detail.path))].sort()
  return { status, code: error.code, paths }
}
export const invalidAt = (...paths: string[]) => ({ status: 400, code: 'invalid_request', paths: paths.toSorted() })
export const notFound = { status: 404, code: 'not_found', paths: [] }
export const conflict = { status: 409, code: 'conflict', paths: [] }
