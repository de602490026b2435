import { linkSignals } from './abort.ts'
import { type CallerOptions, createExchange, wireOf } from './caller.ts'
import type { Answer, CallArguments, EndpointId, ItemOf, ListId, LooseInput, ResultOf, Send } from './calls.ts'
import { checkInput, endpointRow, isReplayable, lowerCase } from './checked-input.ts'
import { type StreamOptions, streamEventsOf } from './event-stream.ts'
import type { IntegrityEvent } from './events.ts'
import type { Fetch } from './exchange.ts'
import { endpointTable } from './generated/endpoint-table.ts'
import { type PackOptions, type PackOutcome, sendPacks } from './packs.ts'
import { itemsOf, pagesOf } from './pages.ts'
import { defaultRetries, type RetryPolicy, withRetries } from './retry.ts'
import { platformRuntime, type Runtime, randomHex } from './runtime.ts'
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
  /**
   * One call by endpoint id. Gives what the service answered, or throws `IntegrityError`.
   *
   * @example
   * ```ts
   * const session = await client.call('sessions.create', { body: { externalId: 'application-4711' } })
   * const { state } = await client.call('sessions.get', { params: { id: session.id } })
   * ```
   */
  call<Id extends EndpointId>(id: Id, ...input: CallArguments<Id>): Promise<ResultOf<Id>>
  /**
   * The same with status, headers and request id.
   *
   * @example
   * ```ts
   * const { data, replayed, requestId } = await client.request('sessions.create', {
   *   body: { externalId: 'application-4711' },
   *   idempotencyKey: 'application-4711',
   * })
   * console.log(replayed ? 'was there' : 'is new', data.id, requestId)
   * ```
   */
  request<Id extends EndpointId>(id: Id, ...input: CallArguments<Id>): Promise<Answer<ResultOf<Id>>>
  /**
   * Every row of a list, fetched a page at a time: `query.limit` is the page's size, `query.offset` where it begins.
   *
   * @example
   * ```ts
   * for await (const { id, externalId } of client.items('sessions.list', { query: { state: 'live' } }))
   *   console.log(id, externalId)
   * ```
   */
  items<Id extends ListId>(id: Id, ...input: CallArguments<Id>): AsyncGenerator<ItemOf<Id>, void, undefined>
  /**
   * The pages of a list as they are answered, each behind the last row of the one before.
   *
   * @example
   * ```ts
   * for await (const { items, total } of client.pages('sessions.list', { query: { limit: 100 } }))
   *   console.log(`${items.length} of ${total}`)
   * ```
   */
  pages<Id extends ListId>(id: Id, ...input: CallArguments<Id>): AsyncGenerator<ResultOf<Id>, void, undefined>
  /**
   * One item of evidence of any size, in parts, resumable. Needs a session's token.
   *
   * @example
   * ```ts
   * const { evidence, deduplicated } = await client.upload({
   *   sessionId,
   *   source: file,
   *   evidenceType: 'screen_clip',
   *   contentType: 'video/webm',
   *   capturedAt: new Date(),
   * })
   * console.log(evidence.id, deduplicated)
   * ```
   */
  upload(options: UploadOptions): Promise<Uploaded>
  readonly packs: {
    /**
     * Small items of evidence, many in a request, each with its own outcome. Needs a session's token.
     *
     * @example
     * ```ts
     * const bytes = new Uint8Array(await file.arrayBuffer())
     * const capturedAt = new Date().toISOString()
     * const [outcome] = await client.packs.send({
     *   sessionId,
     *   items: [{ evidenceType: 'screenshot', contentType: 'image/webp', capturedAt, bytes }],
     * })
     * console.log(outcome?.status, outcome?.error?.message)
     * ```
     */
    send(options: PackOptions): Promise<PackOutcome[]>
  }
  /**
   * Live events, each once, over as many connections as it takes.
   *
   * @example
   * ```ts
   * for await (const event of client.streamEvents({ types: ['session.ended'] }))
   *   if (event.type === 'session.ended') console.log(event.data.session.id, event.data.reason)
   * ```
   */
  streamEvents(options?: StreamOptions): AsyncGenerator<IntegrityEvent, void, undefined>
}

const policyOf = (retries: ClientOptions['retries']): RetryPolicy =>
  retries === false ? { ...defaultRetries, maxAttempts: 1 } : { ...defaultRetries, ...retries }

// In a page the header is the browser's own, and naming it would make every request ask for permission first.
const inPage = (): boolean => 'document' in globalThis || 'WorkerGlobalScope' in globalThis

const createSend = (options: CallerOptions, retries: ClientOptions['retries'], runtime: Runtime): Send => {
  const sendOnce = createExchange(options)
  const policy = policyOf(retries)
  return async <Id extends EndpointId>(id: Id, input: LooseInput) => {
    const row = endpointRow(options.table, id)
    checkInput(id, row, input)
    const headers = lowerCase(input.headers)
    // A GET is safe (RFC 9110, section 9.2.1): some write down that somebody looked, once for each time that they did.
    const changesNothing = row.method === 'GET' || input.repeatable === true
    // What makes a write one effect however often it is sent.
    const own = input.idempotencyKey ?? headers['idempotency-key'] ?? `auto-${randomHex(16)}`
    const idempotencyKey = changesNothing ? false : own
    const safe = isReplayable(input) && (changesNothing || own !== false)
    const stop = linkSignals(runtime, [options.signal, input.signal])
    try {
      const how = { policy, runtime, safe, signal: stop.signal }
      const { value, attempts } = await withRetries(() => sendOnce(id, { ...input, headers, idempotencyKey }), how)
      const { status, headers: answered } = value
      return {
        data: value.data as ResultOf<Id>,
        status,
        headers: answered,
        requestId: answered.get('x-request-id') ?? undefined,
        replayed: answered.get('idempotency-replayed') === 'true',
        attempts,
      }
    } finally {
      stop.release()
    }
  }
}

/**
 * A client of the service. It holds no connection and no timer between calls.
 *
 * @example
 * ```ts
 * const client = createIntegrityClient({ baseUrl: 'https://integrity.example.com', apiKey })
 * const { items } = await client.call('sessions.list', { query: { limit: 10 } })
 * ```
 */
export const createIntegrityClient = (options: ClientOptions): IntegrityClient => {
  if (!/^https?:\/\//.test(options.baseUrl)) throw new TypeError('baseUrl must begin with https:// or http://')
  const runtime: Runtime = { ...platformRuntime, ...options.runtime }
  const { baseUrl, apiKey: token, userAgent, signal, timeoutMs = 30_000 } = options
  const headers: Record<string, string> = userAgent && !inPage() ? { 'user-agent': userAgent } : {}
  const base = { baseUrl, token, headers, fetch: options.fetch, runtime, signal, timeoutMs, table: endpointTable }
  const send = createSend(base, options.retries, runtime)

  async function* streamEvents(stream: StreamOptions = {}) {
    const stop = linkSignals(runtime, [signal, stream.signal])
    try {
      yield* streamEventsOf({ sender: base, wire: wireOf(base), send, signal: stop.signal, timeoutMs }, stream)
    } finally {
      stop.release()
    }
  }
  const upload = async (item: UploadOptions): Promise<Uploaded> => {
    const stop = linkSignals(runtime, [signal, item.signal])
    try {
      return await uploadOf({ send, runtime, signal: stop.signal, timeoutMs }, item)
    } finally {
      stop.release()
    }
  }
  const sendPack = async (pack: PackOptions): Promise<PackOutcome[]> => {
    const stop = linkSignals(runtime, [signal, pack.signal])
    try {
      return await sendPacks(send, pack, stop.signal)
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
    packs: { send: sendPack },
    streamEvents,
  }
}
