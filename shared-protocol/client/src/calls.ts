import type { Endpoints } from './endpoint-types.ts'

export type EndpointId = keyof Endpoints
export type ResultOf<Id extends EndpointId> = Endpoints[Id]['result']

/** Raw bytes instead of base64 in JSON. A `ReadableStream` is sent once and never again. */
export interface RawBody<Meta> {
  readonly bytes: Uint8Array | Blob | ReadableStream<Uint8Array>
  readonly contentType: string
  readonly meta: Meta
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Your own key for this write, such as an order number, which then also holds across processes. Without one the
   * library makes one for each call; `false` sends none, and the write is not tried again.
   */
  readonly idempotencyKey?: string | false
  readonly signal?: AbortSignal
  /** For each attempt, instead of the client's. Milliseconds. */
  readonly timeoutMs?: number
}

type Nothing = Readonly<Record<never, never>>
type Part<K extends string, T> = [T] extends [undefined]
  ? Nothing
  : undefined extends T
    ? { readonly [P in K]?: T }
    : Nothing extends T
      ? { readonly [P in K]?: T }
      : { readonly [P in K]: T }
type Sent<Body, Meta> = [Meta] extends [undefined]
  ? Part<'body', Body>
  : { readonly body: Body; readonly raw?: never } | { readonly raw: RawBody<Meta>; readonly body?: never }

/** What a call takes: path parameters, query and body of the endpoint, each only where it has one. */
export type CallInput<Id extends EndpointId> = Part<'params', Endpoints[Id]['params']> &
  Part<'query', Endpoints[Id]['query']> &
  Sent<Endpoints[Id]['body'], Endpoints[Id]['meta']> &
  CallOptions

/** The input may be left out where nothing in it is needed. */
export type CallArguments<Id extends EndpointId> =
  Nothing extends CallInput<Id> ? [input?: CallInput<Id>] : [input: CallInput<Id>]

export interface Answer<T> {
  readonly data: T
  readonly status: number
  readonly headers: Headers
  readonly requestId: string | undefined
  /** True when the service gave the answer of an earlier request with this key. */
  readonly replayed: boolean
  /** How often the request was sent. */
  readonly attempts: number
}

/** Ids of endpoints that answer a page of a list. */
export type ListId = {
  [Id in EndpointId]: ResultOf<Id> extends { readonly items: readonly unknown[]; readonly total: number } ? Id : never
}[EndpointId]
export type ItemOf<Id extends ListId> = ResultOf<Id> extends { readonly items: readonly (infer Item)[] } ? Item : never

/** A call with its types forgotten, for the parts of the library that send what `CallInput` has checked. */
export interface LooseInput extends CallOptions {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly raw?: RawBody<Readonly<Record<string, unknown>>>
  /** True for a write that changes nothing when it is repeated as it is: tried again without a key. */
  readonly repeatable?: boolean
}
export type Send = <Id extends EndpointId>(id: Id, input: LooseInput) => Promise<Answer<ResultOf<Id>>>
