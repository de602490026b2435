import { linkSignals } from './abort.ts'
import type { Answer, CallArguments, EndpointId, ItemOf, ListId, LooseInput, ResultOf, Send } from './calls.ts'
import { type StreamOptions, streamEventsOf } from './event-stream.ts'
import type { IntegrityEvent } from './events.ts'
import { exchange, type Fetch } from './exchange.ts'
import { itemsOf, pagesOf } from './pages.ts'
import { buildRequest, endpointRow, type Kind } from './request.ts'
import { defaultRetries, type RetryPolicy, withRetries } from './retry.ts'
import { platformRuntime, type Runtime } from './runtime.ts'
import { type Uploaded, type UploadOptions, uploadOf } from './upload.ts'

export interface ClientOptions {
  /** The address of the service, such as `https://integrity.example.com`. */
  readonly baseUrl: string
  /** An API key, or a session's token for what agents and phones do. A function is asked before each call. */
  readonly apiKey?: string | (() => string | Promise<string>)
  readonly fetch?: Fetch
  /** Parts of the policy to change; `false` sends everything once. */
  readonly retries?: Partial<RetryPolicy> | false
  /** For each attempt to be answered. 30 s unless given. Milliseconds. */
  readonly timeoutMs?: number
  /** Names your program in the operator's logs. A page cannot set it. */
  readonly userAgent?: string
  /** Stops everything that this client does. */
  readonly signal?: AbortSignal
  /** Time and chance, for tests. */
  readonly runtime?: Partial<Runtime>
}

export interface IntegrityClient {
  /** One call by endpoint id: `await client.call('sessions.get', { params: { id } })`. */
  call<Id extends EndpointId>(id: Id, ...input: CallArguments<Id>): Promise<ResultOf<Id>>
  /** The same with status, headers and request id. */
  request<Id extends EndpointId>(id: Id, ...input: CallArguments<Id>): Promise<Answer<ResultOf<Id>>>
  /** Every row of a list, fetched a page at a time: `query.limit` is the page's size, `query.offset` where it begins. */
  items<Id extends ListId>(id: Id, ...input: CallArguments<Id>): AsyncGenerator<ItemOf<Id>, void, undefined>
  /** The pages of a list as they are answered. A row that moved between two of them may be in both. */
  pages<Id extends ListId>(id: Id, ...input: CallArguments<Id>): AsyncGenerator<ResultOf<Id>, void, undefined>
  /** One item of evidence of any size, in parts, resumable. Needs a session's token. */
  upload(options: UploadOptions): Promise<Uploaded>
  /** Live events, each once, over as many connections as it takes. */
  streamEvents(options?: StreamOptions): AsyncGenerator<IntegrityEvent, void, undefined>
}

const policyOf = (retries: ClientOptions['retries']): RetryPolicy =>
  retries === false ? { ...defaultRetries, maxAttempts: 1 } : { ...defaultRetries, ...retries }

const callable: ReadonlySet<string> = new Set<Kind>(['json', 'bytes', 'upload-evidence', 'upload-part'])

const createSend = (options: ClientOptions, runtime: Runtime): Send => {
  const { baseUrl, apiKey, userAgent, timeoutMs = 30_000 } = options
  const wire = { fetch: fetchOf(options), runtime }
  const policy = policyOf(options.retries)
  return async <Id extends EndpointId>(id: Id, input: LooseInput) => {
    const row = endpointRow(id)
    if (!callable.has(row.kind)) throw new TypeError(`${id} is no single call; for events there is streamEvents`)
    const request = await buildRequest({ baseUrl, apiKey, userAgent }, row, input)
    const signals = [options.signal, input.signal]
    const stop = linkSignals(runtime, signals)
    const attempt = () => exchange(wire, request, signals, input.timeoutMs ?? timeoutMs)
    try {
      const how = { policy, runtime, safe: request.safe, signal: stop.signal }
      const { value, attempts } = await withRetries(attempt, how)
      const { status, headers } = value
      return {
        data: value.data as ResultOf<Id>,
        status,
        headers,
        requestId: headers.get('x-request-id') ?? undefined,
        replayed: headers.get('idempotency-replayed') === 'true',
        attempts,
      }
    } finally {
      stop.release()
    }
  }
}

// Called as a plain function: a page's fetch refuses to be anybody's method.
const fetchOf = (options: ClientOptions): Fetch => options.fetch ?? ((url, init) => fetch(url, init))

/** A client of the service. It holds no connection and no timer between calls. */
export const createIntegrityClient = (options: ClientOptions): IntegrityClient => {
  if (!/^https?:\/\//.test(options.baseUrl)) throw new TypeError('baseUrl must begin with https:// or http://')
  const runtime: Runtime = { ...platformRuntime, ...options.runtime }
  const send = createSend(options, runtime)
  const { baseUrl, apiKey, userAgent, timeoutMs = 30_000 } = options

  async function* streamEvents(stream: StreamOptions = {}) {
    const stop = linkSignals(runtime, [options.signal, stream.signal])
    const wire = { fetch: fetchOf(options), runtime }
    const sender = { baseUrl, apiKey, userAgent }
    try {
      yield* streamEventsOf({ sender, wire, send, signal: stop.signal, timeoutMs }, stream)
    } finally {
      stop.release()
    }
  }
  const upload = async (item: UploadOptions): Promise<Uploaded> => {
    const stop = linkSignals(runtime, [options.signal, item.signal])
    try {
      return await uploadOf({ send, signal: stop.signal, timeoutMs }, item)
    } finally {
      stop.release()
    }
  }
  return {
    call: async (id, ...[input]) => (await send(id, (input ?? {}) as LooseInput)).data,
    request: (id, ...[input]) => send(id, (input ?? {}) as LooseInput),
    items: (id, ...[input]) => itemsOf(send, id, (input ?? {}) as LooseInput),
    pages: (id, ...[input]) => pagesOf(send, id, (input ?? {}) as LooseInput),
    upload,
    streamEvents,
  }
}
