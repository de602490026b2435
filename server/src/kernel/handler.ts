import type { IncomingHttpHeaders } from 'node:http'
import type {
  BodyOf,
  CredentialKind,
  DataOf,
  EndpointId,
  EndpointMap,
  EndpointSpec,
  ParamsOf,
  QueryOf,
  UploadSpec,
} from '@integrity/protocol'
import type { Context as KoaContext } from 'koa'
import type { Tx } from '../platform/db/types.ts'
import type { Actor, ActorOf } from './actor.ts'
import type { AppContext } from './parts.ts'
import type { Scope } from './scope.ts'

type Kinds<E extends EndpointSpec> = E['auth'][number]['kind']

/** What a handler is given. Everything in `input` has passed the declared schema. */
export interface Call<E extends EndpointSpec> {
  readonly app: AppContext
  readonly input: {
    readonly params: ParamsOf<E>
    readonly query: QueryOf<E>
    readonly body: BodyOf<E>
    /** The decoded bytes, for endpoints that take evidence; empty otherwise. */
    readonly bytes: E['upload'] extends UploadSpec ? Buffer : undefined
  }
  readonly actor: ActorOf<Kinds<E> & CredentialKind>
  /** Organisation and environment of the caller; who calls anonymously, or is just a signed-in person, has none. */
  readonly scope: Scope
  readonly requestId: string
  readonly headers: IncomingHttpHeaders
  readonly address: string
}
export interface WriteCall<E extends EndpointSpec> extends Call<E> {
  readonly tx: Tx
}

/** Headers of an answer; a list becomes a header of its own for each value (`Set-Cookie`). */
export type AnswerHeaders = Readonly<Record<string, string | string[]>>

/** An answer with a status or headers of its own. */
export class Reply<T> {
  readonly data: T
  readonly status: number | undefined
  readonly headers: AnswerHeaders
  constructor(data: T, options: { status?: number; headers?: AnswerHeaders } = {}) {
    this.data = data
    this.status = options.status
    this.headers = options.headers ?? {}
  }
}
export type Answer<E extends EndpointSpec> = DataOf<E> | Reply<DataOf<E> | undefined>

export interface ReadHandler<E extends EndpointSpec> {
  readonly read: (call: Call<E>) => Promise<Answer<E>>
}
/** How requests of one scope that wait at the same time are written by one transaction. */
export interface TogetherWrite<E extends EndpointSpec> {
  /** So many requests share a transaction at most. */
  readonly limit: number
  /** What a request writes to: two of the same subject never share a transaction. */
  readonly subject: (call: Call<E>) => string
  /**
   * Says for each call, in their order, its answer or why it is refused; `undefined` for one that has to wait for somebody
   * else's rows and is better written by itself. When it throws, each is written by itself.
   */
  readonly write: (group: {
    readonly app: AppContext
    readonly tx: Tx
    readonly scope: Scope
    readonly calls: readonly Call<E>[]
  }) => Promise<readonly (PromiseSettledResult<Answer<E>> | undefined)[]>
}
export interface WriteHandler<E extends EndpointSpec> {
  /** Slow work before the transaction: decoding, files, hashing. Its result is handed to `write`. */
  readonly prepare?: (call: Call<E>) => Promise<unknown>
  /** Runs in the one transaction of the request, with its audit row, events and idempotency record. */
  readonly write: (call: WriteCall<E>, prepared: never) => Promise<Answer<E>>
  /** Undoes `prepare` when the transaction did not commit or the answer was a replay. */
  readonly discard?: (call: Call<E>, prepared: never) => Promise<void>
  /** For an endpoint whose requests come in crowds; the rest is as if each had had `write`. Without `prepare`. */
  readonly together?: TogetherWrite<E>
}
/** Answers on the socket itself: bytes and event streams. */
export interface ServeHandler<E extends EndpointSpec> {
  readonly serve: (call: Call<E>, koa: KoaContext) => Promise<void>
}
export type Handler<E extends EndpointSpec> = E['kind'] extends 'bytes' | 'sse'
  ? ServeHandler<E>
  : E['effect'] extends 'read'
    ? ReadHandler<E>
    : WriteHandler<E>

/** One handler for each endpoint id: a missing or an extra one does not compile, and does not boot. */
export type HandlerMap = { readonly [Id in EndpointId]: Handler<EndpointMap[Id]> }
export type CallOf<Id extends EndpointId> = Call<EndpointMap[Id]>

/** A write with slow work before its transaction, typed through. */
export const prepared = <E extends EndpointSpec, P>(steps: {
  prepare: (call: Call<E>) => Promise<P>
  write: (call: WriteCall<E>, prepared: P) => Promise<Answer<E>>
  discard?: (call: Call<E>, prepared: P) => Promise<void>
}): WriteHandler<E> => steps as unknown as WriteHandler<E>

export type AnyCall = Call<EndpointSpec> & { readonly actor: Actor }
