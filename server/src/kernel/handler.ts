import type { Hash } from 'node:crypto'
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
import type { LiveConnection } from '../platform/sockets/live-connection.ts'
import type { FollowOptions } from '../platform/sse/follow.ts'
import type { By, Needs, Reads, Writes } from './call.ts'
import type { Content } from './content.ts'
import type { ActorOf } from './identity/actor.ts'
import type { Parts } from './parts.ts'
import type { Caller, IssuedTokens, PortalTokens } from './sign-ins.ts'

type Kinds<E extends EndpointSpec> = E['auth'][number]['kind']

/**
 * One request of somebody who may make it: who, where, and the parts that services ask for. Who calls anonymously, or is
 * just a signed-in person, acts in no scope; handlers of such endpoints hand none on.
 */
export interface EndpointCall<E extends EndpointSpec>
  extends Parts,
    Reads,
    Needs<'requestId'>,
    Caller,
    By<ActorOf<Kinds<E> & CredentialKind>> {
  /** The portal's tokens that came with it; only for endpoints that hand them out. */
  readonly cookies: PortalTokens
  /** The token of the link that was followed, which the service keeps nowhere; only for who came by one. */
  readonly linkToken: string | undefined
  /** The declared headers, where the sender signs its body. */
  readonly signedHeaders: Readonly<Record<string, string | undefined>>
  /** Which state is to be changed, where the endpoint declares the header. */
  readonly ifMatch: string | undefined
  /**
   * Parses of the request's bytes what the pipeline has not, and charges its sender for that; the organisation as well where it
   * throws, or `isRefused` says so of what it comes to.
   */
  readonly measured: <T>(work: () => T, isRefused?: (done: T) => boolean) => T
  /** The event that an event stream has shown last, where its client says so by itself. */
  readonly lastEventId: string | undefined
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
  /** The decoded bytes, for endpoints that take evidence, or the very body, where its sender signs it; empty otherwise. */
  readonly bytes: E['upload'] extends UploadSpec ? Buffer : E['signed'] extends true ? Buffer : undefined
  /** A SHA-256 that has taken in `bytes` while they arrived: copy it before use. Parts of an upload come with one. */
  readonly bytesHash?: Hash
}

/** Headers of an answer; a list becomes a header of its own for each value (`Set-Cookie`). */
export type AnswerHeaders = Readonly<Record<string, string | string[]>>

interface ReplyOptions {
  readonly status?: number
  readonly headers?: AnswerHeaders
  readonly etag?: string
  readonly cookies?: IssuedTokens | 'clear'
}

/** An answer with a status, a validator, headers or cookies of its own. */
export class Reply<T> {
  readonly data: T
  readonly status: number | undefined
  readonly headers: AnswerHeaders
  /** Names this state of what was read: whoever has it already gets no body. */
  readonly etag: string | undefined
  /** Portal tokens that the browser is to keep, or that it is to forget them. */
  readonly cookies: IssuedTokens | 'clear' | undefined
  constructor(data: T, options: ReplyOptions = {}) {
    this.data = data
    this.status = options.status
    this.headers = options.headers ?? {}
    this.etag = options.etag
    this.cookies = options.cookies
  }
}
export type Answer<E extends EndpointSpec> = DataOf<E> | Reply<DataOf<E> | undefined>

export interface ReadHandler<E extends EndpointSpec> {
  /** It reads as much as a session or an organisation has: by way of the long reader, and on its organisation's budget. */
  readonly long?: true
  readonly read: (call: EndpointCall<E>, input: Input<E>) => Promise<Answer<E>>
}
/** One of several requests that are written together. */
export interface JoinedRequest<E extends EndpointSpec>
  extends By<ActorOf<Kinds<E> & CredentialKind>>,
    Needs<'requestId'> {
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
  /**
   * Undoes `prepare` when nothing of the transaction stayed, or the answer was a replay. Not called where COMMIT itself
   * failed, since its rows may be there.
   */
  readonly discard?: (call: EndpointCall<E>, input: Input<E>, prepared: never) => Promise<void>
  /** For an endpoint whose requests come in crowds; the rest is as if each had had `write`. Without `prepare`. */
  readonly together?: TogetherWrite<E>
}
export interface BytesHandler<E extends EndpointSpec> {
  /** As for a read. */
  readonly long?: true
  readonly content: (call: EndpointCall<E>, input: Input<E>) => Promise<Content>
}
/** Items that a stream of events replays and then follows. */
export interface EventFeed extends Omit<FollowOptions, 'connection'> {
  /** Sent before them. */
  readonly first: Buffer | undefined
}
export interface StreamHandler<E extends EndpointSpec> {
  /** What the stream follows. Throws what is to be an ordinary answer: not a byte of the stream is out yet. */
  readonly follow: (call: EndpointCall<E>, input: Input<E>) => Promise<EventFeed>
}
/** Whoever is let in on the live socket: first asked for, so that a refusal is an ordinary answer, then followed. */
export interface LiveSocketHandler {
  /** What to listen to, and the group whose sockets are counted together. Throws when there is nothing. */
  readonly open: (
    call: Parts & Reads & By<ActorOf<'agent'>>,
  ) => Promise<{ readonly group: string; readonly follow: (connection: LiveConnection) => void }>
}
export type Handler<E extends EndpointSpec> = E['kind'] extends 'bytes'
  ? BytesHandler<E>
  : E['kind'] extends 'sse'
    ? StreamHandler<E>
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
