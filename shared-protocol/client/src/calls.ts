import type { Endpoints } from './endpoint-types.ts'

/** One endpoint as types: what a call takes and what it gives. `undefined` where there is no such part. */
export interface EndpointTypes {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  /** Metadata that goes beside raw bytes. */
  readonly meta: unknown
  readonly result: unknown
}
/** Endpoints by id. */
export type TypesOf<T> = { readonly [Id in keyof T]: EndpointTypes }

export type EndpointId = keyof Endpoints
export type ResultOf<Id extends EndpointId> = Endpoints[Id]['result']

/** Raw bytes instead of base64 in JSON. A `ReadableStream` is sent once and never again. */
export interface RawBody<Meta> {
  readonly bytes: Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array>
  readonly contentType: string
  readonly meta: Meta
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Your own key for this write, such as an order number, which then also holds across processes. Without one the
   * library makes one for each call that it may try again; `false` sends none, and the write is not tried again.
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

/** What a call of such an endpoint takes: path parameters, query and body, each only where it has one. */
export type InputOf<E extends EndpointTypes> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  Sent<E['body'], E['meta']> &
  CallOptions
export type CallInput<Id extends EndpointId> = InputOf<Endpoints[Id]>

/** The input may be left out where nothing in it is needed. */
export type ArgumentsOf<E extends EndpointTypes> =
  Nothing extends InputOf<E> ? [input?: InputOf<E>] : [input: InputOf<E>]
export type CallArguments<Id extends EndpointId> = ArgumentsOf<Endpoints[Id]>

/** What one request was answered with. */
export interface Reply<T> {
  readonly data: T
  readonly status: number
  readonly headers: Headers
}

export interface Answer<T> extends Reply<T> {
  readonly requestId: string | undefined
  /** True when the service gave the answer of an earlier request with this key. */
  readonly replayed: boolean
  /** How often the request was sent. */
  readonly attempts: number
}

/** Ids of endpoints that answer a page of a list. */
export type ListId = {
  [Id in EndpointId]: ResultOf<Id> extends { readonly items: readonly unknown[]; readonly nextCursor: string | null }
    ? Id
    : never
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
