import type { BodyInputOf, EndpointSpec, ParamsOf, QueryInputOf, ResultOf } from './core/endpoint.ts'
import type { ErrorCode, ErrorDetail } from './core/errors.ts'
import { type EndpointId, type EndpointMap, endpoint } from './registry.ts'

type Without<T, K> = T extends undefined ? Record<never, never> : K
type Named<K extends string, T> = T extends undefined
  ? Record<never, never>
  : Record<never, never> extends T
    ? { readonly [P in K]?: T }
    : { readonly [P in K]: T }

/** What a call takes: path parameters, query and body of the endpoint, each only where it has one. */
export type CallInput<E extends EndpointSpec> = Named<
  'params',
  keyof ParamsOf<E> extends never ? undefined : ParamsOf<E>
> &
  Named<'query', QueryInputOf<E>> &
  Without<BodyInputOf<E>, { readonly body?: BodyInputOf<E> }> &
  CallOptions

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
  /** Raw bytes instead of a JSON body, for endpoints that take evidence. */
  readonly raw?: {
    readonly bytes: Uint8Array
    readonly contentType: string
    readonly meta?: Readonly<Record<string, unknown>>
  }
}

export interface Answer<T> {
  readonly status: number
  readonly headers: Headers
  /** Absent for 304. */
  readonly data: T
}

/** A failure the service answered, or (status 0) a request that got no answer. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  readonly status: number
  readonly code: ErrorCode | 'no_answer' | 'not_the_service'
  readonly details: readonly ErrorDetail[]
  readonly requestId: string | undefined
  readonly retryAfterMs: number | undefined
  readonly body: unknown

  constructor(fields: {
    status: number
    code: ClientError['code']
    message: string
    details?: readonly ErrorDetail[]
    requestId?: string | undefined
    retryAfterMs?: number | undefined
    body?: unknown
    cause?: unknown
  }) {
    super(fields.message, { cause: fields.cause })
    this.status = fields.status
    this.code = fields.code
    this.details = fields.details ?? []
    this.requestId = fields.requestId
    this.retryAfterMs = fields.retryAfterMs
    this.body = fields.body
  }
}

type FetchLike = (url: string, init: RequestInit) => Promise<Response>

export interface ClientOptions {
  readonly baseUrl: string
  /** Sent as a bearer credential. A function is asked before each call. */
  readonly token?: string | (() => string | undefined)
  readonly fetch?: FetchLike
}

export interface Client {
  call<Id extends EndpointId>(id: Id, input?: CallInput<EndpointMap[Id]>): Promise<Answer<ResultOf<EndpointMap[Id]>>>
}

const fill = (path: string, params: Readonly<Record<string, string>> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''))

const queryText = (query: Readonly<Record<string, unknown>> = {}): string => {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs.map(([k, v]) => [k, String(v)])).toString()}`
}

interface Loose {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

/** JSON whose characters all fit into a header. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

const requestOf = (options: ClientOptions, spec: EndpointSpec, input: Loose & CallOptions) => {
  const headers: Record<string, string> = { accept: 'application/json', ...input.headers }
  const token = typeof options.token === 'function' ? options.token() : options.token
  if (token) headers['authorization'] ??= `Bearer ${token}`
  if (input.idempotencyKey) headers['idempotency-key'] = input.idempotencyKey
  const query: Record<string, unknown> = { ...input.query }
  let body: BodyInit | undefined
  if (input.raw) {
    headers['content-type'] = input.raw.contentType
    body = input.raw.bytes as Uint8Array<ArrayBuffer>
    if (spec.upload?.from === 'part') {
      query['index'] = input.raw.meta?.['index']
      headers['x-service-part-sha256'] = String(input.raw.meta?.['sha256'])
    } else headers['x-service-evidence-meta'] = asciiJson(input.raw.meta ?? {})
  } else if (input.body !== undefined) {
    headers['content-type'] = 'application/json'
    body = JSON.stringify(input.body)
  }
  const url = `${options.baseUrl.replace(/\/$/, '')}${fill(spec.path, input.params)}${queryText(query)}`
  const init: RequestInit = { method: spec.method, headers, redirect: 'manual' }
  if (body !== undefined) init.body = body
  if (input.signal) init.signal = input.signal
  return { url, init }
}

interface Envelope {
  success?: boolean
  data?: unknown
  error?: { code: ErrorCode; message: string; details?: ErrorDetail[] }
  requestId?: string
}

const failure = (response: Response, body: Envelope | undefined): ClientError => {
  const wait = Number(response.headers.get('retry-after'))
  const retryAfterMs = Number.isFinite(wait) && wait > 0 ? wait * 1000 : undefined
  if (!body?.error)
    return new ClientError({
      status: response.status,
      code: 'not_the_service',
      message: `the server answered ${response.status} without the service's envelope: is the address right?`,
      retryAfterMs,
    })
  return new ClientError({
    status: response.status,
    code: body.error.code,
    message: body.error.message,
    details: body.error.details ?? [],
    requestId: body.requestId,
    retryAfterMs,
    body,
  })
}

/**
 * A client typed by endpoint id: `client.call('sessions.get', { params: { id } })`.
 * It sends one request and reads one answer; retrying is its caller's decision.
 */
export const createClient = (options: ClientOptions): Client => {
  const send: FetchLike = options.fetch ?? ((url, init) => fetch(url, init))
  return {
    async call(id, input) {
      const spec: EndpointSpec = endpoint(id)
      const { url, init } = requestOf(options, spec, (input ?? {}) as Loose & CallOptions)
      let response: Response
      try {
        response = await send(url, init)
      } catch (cause) {
        throw new ClientError({
          status: 0,
          code: 'no_answer',
          message: `no answer from ${spec.method} ${spec.path}`,
          cause,
        })
      }
      if (response.status === 304) return { status: 304, headers: response.headers, data: undefined as never }
      if (spec.kind === 'bytes' && response.ok)
        return {
          status: response.status,
          headers: response.headers,
          data: new Uint8Array(await response.arrayBuffer()) as never,
        }
      const body = (await response.json().catch(() => undefined)) as Envelope | undefined
      if (!response.ok || body?.success !== true) throw failure(response, body)
      return { status: response.status, headers: response.headers, data: body.data as never }
    },
  }
}
