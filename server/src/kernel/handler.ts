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
import type { LiveConnection } from '../platform/sockets/live-connection.ts'
import type { ActorOf } from './actor.ts'
import type { By, Reads, Writes } from './call.ts'
import type { Parts } from './parts.ts'
import type { IssuedTokens, PortalTokens } from './sign-ins.ts'

type Kinds<E extends EndpointSpec> = E['auth'][number]['kind']

/**
 * One request of somebody who may make it: who, where, and the parts that services ask for. Who calls anonymously, or is
 * just a signed-in person, acts in no scope; handlers of such endpoints hand none on.
 */
export interface EndpointCall<E extends EndpointSpec> extends Parts, Reads, By<ActorOf<Kinds<E> & CredentialKind>> {
  readonly requestId: string
  readonly headers: IncomingHttpHeaders
  readonly address: string
  /** The portal's tokens that came with it; only for endpoints that hand them out. */
  readonly cookies: PortalTokens
  /** Whether the credential would still be let in; for answers that take long. */
  readonly stillAllowed: () => Promise<boolean>
}
/** The same in the one transaction of the request: what it reads through `reader` it reads there. */
export interface EndpointWriteCall<E extends EndpointSpec>
  extends EndpointCall<E>,
    Writes,
    By<ActorOf<Kinds<E> & CredentialKind>> {}

/** What came with a request; all of it has passed the declared schema. */
export interface Input<E extends EndpointSpec> {
  readonly params: ParamsOf<E>
  readonly query: QueryOf<E>
  readonly body: BodyOf<E>
  /** The decoded bytes, for endpoints that take evidence; empty otherwise. */
  readonly bytes: E['upload'] extends UploadSpec ? Buffer : undefined
}

/** Headers of an answer; a list becomes a header of its own for each value (`Set-Cookie`). */
export type AnswerHeaders = Readonly<Record<string, string | string[]>>

/** An answer with a status, headers or cookies of its own. */
export class Reply<T> {
  readonly data: T
  readonly status: number | undefined
  readonly headers: AnswerHeaders
  /** Portal tokens that the browser is to keep, or that it is to forget them. */
  readonly cookies: IssuedTokens | 'clear' | undefined
  constructor(data: T, options: { status?: number; headers?: AnswerHeaders; cookies?: IssuedTokens | 'clear' } = {}) {
    this.data = data
    this.status = options.status
    this.headers = options.headers ?? {}
    this.cookies = options.cookies
  }
}
export type Answer<E extends EndpointSpec> = DataOf<E> | Reply<DataOf<E> | undefined>

export interface ReadHandler<E extends EndpointSpec> {
  readonly read: (call: EndpointCall<E>, input: Input<E>) => Promise<Answer<E>>
}
/** One of several requests that are written together. */
export interface JoinedRequest<E extends EndpointSpec> extends By<ActorOf<Kinds<E> & CredentialKind>> {
  readonly input: Input<E>
}
/** How requests of one scope that wait at the same time are written by one transaction. */
export interface TogetherWrite<E extends EndpointSpec> {
  /** So many requests share a transaction at most. */
  readonly limit: number
  /** What a request writes to: two of the same subject never share a transaction. */
  readonly subject: (input: Input<E>) => string
  /**
   * Says for each request, in their order, its answer or why it is refused; `undefined` for one that has to wait for somebody
   * else's rows and is better written by itself. When it throws, each is written by itself.
   */
  readonly write: (
    call: Parts & Writes,
    requests: readonly JoinedRequest<E>[],
  ) => Promise<readonly (PromiseSettledResult<Answer<E>> | undefined)[]>
}
export interface WriteHandler<E extends EndpointSpec> {
  /** Slow work before the transaction: decoding, files, hashing. Its result is handed to `write`. */
  readonly prepare?: (call: EndpointCall<E>, input: Input<E>) => Promise<unknown>
  /** Runs in the one transaction of the request, with its audit row, events and idempotency record. */
  readonly write: (call: EndpointWriteCall<E>, input: Input<E>, prepared: never) => Promise<Answer<E>>
  /** Undoes `prepare` when the transaction did not commit or the answer was a replay. */
  readonly discard?: (call: EndpointCall<E>, input: Input<E>, prepared: never) => Promise<void>
  /** For an endpoint whose requests come in crowds; the rest is as if each had had `write`. Without `prepare`. */
  readonly together?: TogetherWrite<E>
}
/** Answers on the socket itself: bytes and event streams. */
export interface ServeHandler<E extends EndpointSpec> {
  readonly serve: (call: EndpointCall<E>, input: Input<E>, koa: KoaContext) => Promise<void>
}
/** Whoever is let in on the live socket: first asked for, so that a refusal is an ordinary answer, then followed. */
export interface LiveSocketHandler {
  /** What to listen to, and the group whose sockets are counted together. Throws when there is nothing. */
  readonly open: (
    call: Parts & Reads & By<ActorOf<'agent'>>,
  ) => Promise<{ readonly group: string; readonly follow: (connection: LiveConnection) => void }>
}
export type Handler<E extends EndpointSpec> = E['kind'] extends 'bytes' | 'sse'
  ? ServeHandler<E>
  : E['effect'] extends 'read'
    ? ReadHandler<E>
    : WriteHandler<E>

/** One handler for each endpoint id: a missing or an extra one does not compile, and does not boot. */
export type HandlerMap = { readonly [Id in EndpointId]: Handler<EndpointMap[Id]> }

/** A write with slow work before its transaction, typed through. */
export const prepared = <E extends EndpointSpec, P>(steps: {
  prepare: (call: EndpointCall<E>, input: Input<E>) => Promise<P>
  write: (call: EndpointWriteCall<E>, input: Input<E>, prepared: P) => Promise<Answer<E>>
  discard?: (call: EndpointCall<E>, input: Input<E>, prepared: P) => Promise<void>
}): WriteHandler<E> => steps as unknown as WriteHandler<E>
