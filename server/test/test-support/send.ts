import type { EndpointSpec } from '@integrity/protocol'
import { type Dispatcher, request as undiciRequest } from 'undici'

/** One HTTP request to an endpoint, with nothing of the typed client in between. */
export interface RawRequest {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** JSON text, or bytes as they are. */
  readonly payload?: string | Uint8Array<ArrayBuffer>
}

export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

interface Failure {
  readonly success: false
  readonly error: {
    readonly code: string
    readonly message: string
    readonly details?: { path: string; message: string }[]
  }
  readonly requestId: string
}

export const pathOf = (endpoint: EndpointSpec, request: RawRequest): string => {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(request.params?.[name] ?? ''),
  )
  const query = new URLSearchParams(request.query).toString()
  return query === '' ? path : `${path}?${query}`
}

const headersOf = (raw: Readonly<Record<string, string | string[] | undefined>>): Headers => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(raw))
    for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one)
  return headers
}

/**
 * Sends it; `method` stands in for the endpoint's own (HEAD, or one that the path does not know). There are tens of
 * thousands of these, of which `fetch` would take a seventh more time.
 */
export const send = async (
  url: string,
  endpoint: EndpointSpec,
  request: RawRequest,
  method?: string,
): Promise<RawAnswer> => {
  const answer = await undiciRequest(url + pathOf(endpoint, request), {
    method: (method ?? endpoint.method) as Dispatcher.HttpMethod,
    headers: { ...request.headers },
    ...(request.payload === undefined ? {} : { body: request.payload }),
  })
  const headers = headersOf(answer.headers)
  if (headers.get('content-type')?.startsWith('text/event-stream')) {
    // A stream never ends by itself; being let go is an error to it.
    answer.body.on('error', () => undefined).destroy()
    return { status: answer.statusCode, headers, text: '' }
  }
  return { status: answer.statusCode, headers, text: await answer.body.text() }
}

const codeOfStatus: Readonly<Record<string, string>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'not_found',
  409: 'conflict',
  413: 'invalid_request',
  415: 'invalid_request',
  422: 'idempotency_key_reuse',
  429: 'rate_limited',
}
/** A refusal; one of SCIM, which has no codes, as the service's own would say it. */
export const failureOf = (answer: RawAnswer): Failure => {
  const body = JSON.parse(answer.text) as Failure | { status: string; detail: string }
  if (!('detail' in body)) return body
  const error = { code: codeOfStatus[body.status] ?? 'internal_error', message: body.detail }
  return { success: false, error, requestId: answer.headers.get('x-request-id') ?? '' }
}
export const dataOf = <T>(answer: RawAnswer): T => (JSON.parse(answer.text) as { data: T }).data
