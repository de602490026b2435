import type { EndpointSpec } from '@integrity/protocol'

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

/** Sends it; `method` stands in for the endpoint's own (HEAD, or one that the path does not know). */
export const send = async (
  url: string,
  endpoint: EndpointSpec,
  request: RawRequest,
  method?: string,
): Promise<RawAnswer> => {
  const init: RequestInit = { method: method ?? endpoint.method, redirect: 'manual', headers: { ...request.headers } }
  if (request.payload !== undefined) init.body = request.payload
  const response = await fetch(url + pathOf(endpoint, request), init)
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel()
    return { status: response.status, headers: response.headers, text: '' }
  }
  return { status: response.status, headers: response.headers, text: await response.text() }
}

export const failureOf = (answer: RawAnswer): Failure => JSON.parse(answer.text) as Failure
export const dataOf = <T>(answer: RawAnswer): T => (JSON.parse(answer.text) as { data: T }).data
