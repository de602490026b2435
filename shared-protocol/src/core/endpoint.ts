import type * as z from 'zod'
import type { AuthRule, CredentialKind } from './auth.ts'
import { type ErrorCode, errorCodes } from './errors.ts'
import type { GrantKind } from './grants.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Bytes that come in one request, either as JSON with base64 `data`, or raw with the metadata beside them.
 * `evidence`: metadata is JSON in `X-Service-Evidence-Meta`, the content type is the request's own.
 * `part`: `?index=` and `X-Service-Part-Sha256`, content type application/octet-stream.
 * `frames`: each item's metadata is before its bytes (`core/frames.ts`), and nothing beside them.
 */
export interface UploadSpec {
  readonly meta: z.core.$ZodObject
  readonly from: 'evidence' | 'part' | 'frames'
  readonly contentTypes: readonly string[]
  readonly maxBytes: number
  /** The largest `data` of the JSON form, decoded; absent: `maxBytes`. */
  readonly maxJsonDataBytes?: number
}

/** What the interface promises between the word and the end. */
export const sunsetNoticeDays = 180
const dayMs = 86_400_000
declare const announced: unique symbol

/** That an endpoint goes away: since when that is said (a day, UTC), and when it stops. */
export interface Deprecation {
  readonly since: string
  readonly sunset: string
  readonly [announced]: true
}

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
type FewerThan180 =
  | `${Digit}`
  | `${Digit}${Digit}`
  | `1${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7}${Digit}`
  | `-${string}`
  | `${string}.${string}`

/** The only way to a `Deprecation`. Less notice than the interface promises does not compile. */
export const deprecation = <const Days extends number>(
  since: `${number}-${number}-${number}`,
  noticeDays: `${Days}` extends FewerThan180 ? never : Days,
): Deprecation => {
  const from = Date.parse(since)
  if (Number.isNaN(from) || noticeDays < sunsetNoticeDays) throw new TypeError(`${since}, ${noticeDays} is no notice`)
  return { since, sunset: new Date(from + noticeDays * dayMs).toISOString() } as Deprecation
}

/**
 * An endpoint is data: routing, validation, authorisation, documents, client and test matrix are derived from it.
 * Its schemas are typed as zod's small core types, so that holding a declaration to this shape stays cheap for the compiler;
 * parse with `z.safeParse(schema, value)`.
 */
export interface EndpointSpec {
  readonly id: string
  readonly method: Method
  /** Path parameters in braces. */
  readonly path: `/${string}`
  readonly summary: string
  /** What the one sentence has no room for. */
  readonly details?: string
  readonly auth: readonly [AuthRule, ...AuthRule[]]
  /** The secret or the power that it hands on beyond the request: `grantKinds` says what that asks for. */
  readonly grants?: GrantKind
  readonly query?: z.core.$ZodObject
  readonly body?: z.core.$ZodType
  /** True where the body may be left out altogether; it is then read as `{}`. */
  readonly bodyOptional?: boolean
  readonly upload?: UploadSpec
  /** True where the sender signs its body: the handler gets the very bytes, and the headers that are declared. */
  readonly signed?: boolean
  /**
   * `bytes`: what it answers counts on a ceiling of its own, by its bytes, and it is none of the requests that a credential has:
   * who looks through an interview asks often.
   */
  readonly ceiling?: 'bytes'
  /** Request headers the endpoint reads beyond the usual ones; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  readonly response: z.core.$ZodType
  /** The statuses of success. The first is the usual one. */
  readonly success: readonly [
    200 | 201 | 202 | 204 | 206 | 302 | 303,
    ...(200 | 201 | 202 | 204 | 206 | 302 | 303 | 304)[],
  ]
  /** Codes beyond those every endpoint may answer (see `impliedErrors`). */
  readonly errors?: readonly ErrorCode[]
  /** A write runs in one transaction with its audit row, events and idempotency record. */
  readonly effect: 'read' | 'write'
  /** True for a read by another method than GET that obeys an Idempotency-Key, as writes do. */
  readonly obeysKey?: boolean
  /** True where what lets somebody in is a code, short enough to be found by trying: the wrong ones of an address bar it. */
  readonly guessable?: boolean
  /** True where a GET uses up what its address holds: there is no HEAD, since who only looks must change nothing. */
  readonly usesUp?: boolean
  /** Types of the events this operation may publish. */
  readonly emits?: readonly string[]
  readonly kind?: 'json' | 'bytes' | 'sse'
  /** The media types of an answer of bytes. */
  readonly mediaTypes?: readonly [string, ...string[]]
  /**
   * True where a browser brings the body as a form (`application/x-www-form-urlencoded`) that a page of another site gave it:
   * whoever handles it proves who wrote it.
   */
  readonly form?: boolean
  /** True where a browser comes by itself, from a link or another site: whoever asks for HTML gets refusals as a page. */
  readonly visited?: boolean
  /** Largest accepted body in bytes; where it says nothing, see `bodyLimitOf`. */
  readonly maxBodyBytes?: number
  /** Most values (objects, lists, texts, numbers) of a JSON body together; where it says nothing, see `bodyValuesOf`. */
  readonly maxBodyValues?: number
  /** The path parameter that names the session; agent, companion and room tokens must match it, and a member's organisation follows from it. */
  readonly sessionParam?: string
  /** The path parameter that names an evidence object or a composition, where a member's organisation follows from it. */
  readonly objectParam?: { readonly name: string; readonly object: 'evidence' | 'composition' }
  /** True where the answer sets or clears the cookies of a sign-in: of all pages, only the service's own may ask for it. */
  readonly setsCookies?: boolean
  /** True where a token that this very endpoint has ended may ask again, for an answer that got lost. */
  readonly admitsSpent?: boolean
  /** True where installed programs and probes call without a credential: what they say beyond the contract is ignored. */
  readonly ignoresUnknown?: boolean
  /** Set when the endpoint is going away: made by `deprecation`, so that nobody is told too late. */
  readonly deprecated?: Deprecation
  /** Whose form its bodies and refusals have, where it is not the service's own: SCIM 2.0 (RFC 7644), below `/scim/v2`. */
  readonly wire?: 'scim'
  /** True where another maker says what a success looks like: its data alone, without the envelope. Refusals have the service's form. */
  readonly bare?: true
  /** True for what we added beyond the interface. */
  readonly additive?: boolean
}

export const defineEndpoint = <const E extends EndpointSpec>(endpoint: E): E => endpoint

const usualBodyBytes = 1024 * 1024
/** Who signs in or joins by a code sends some fields, and is a stranger until they have been looked at. */
const strangersBodyBytes = 16 * 1024
/** Who follows a link writes a page of text at most. */
const linkBodyBytes = 64 * 1024

/** What every path of another wire begins with. */
export const wirePaths = { scim: '/scim/v2' } as const
/** The media type of a JSON body, sent or answered. */
export const mediaTypeOf = ({ wire }: Pick<EndpointSpec, 'wire'>): 'application/json' | 'application/scim+json' =>
  wire === 'scim' ? 'application/scim+json' : 'application/json'

/** The most bytes that may stand as base64 in the JSON form of an upload. */
export const jsonDataBytesOf = ({ maxBytes, maxJsonDataBytes }: UploadSpec): number => maxJsonDataBytes ?? maxBytes

/** What is beside the bytes in the JSON form of an upload. */
const uploadMetaBytes = 64 * 1024

/** The largest JSON body that an endpoint takes. */
export const bodyLimitOf = ({ maxBodyBytes, auth, upload }: EndpointSpec): number => {
  if (upload) return Math.ceil(jsonDataBytesOf(upload) / 3) * 4 + uploadMetaBytes
  if (maxBodyBytes !== undefined) return maxBodyBytes
  if (auth.some(({ kind }) => kind === 'anonymous' || kind === 'refresh')) return strangersBodyBytes
  return auth.some(({ kind }) => kind === 'link') ? linkBodyBytes : usualBodyBytes
}

const usualBodyValues = 2000

/**
 * Most values in the JSON body of an endpoint, and as many more as a newer client may send beside what is known here: more than
 * the largest body that its schema takes.
 */
export const bodyValuesOf = ({ maxBodyValues }: Pick<EndpointSpec, 'maxBodyValues'>): number =>
  maxBodyValues ?? usualBodyValues

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never
export type ParamsOf<E extends EndpointSpec> = { readonly [K in Names<E['path']>]: string }
export type QueryOf<E extends EndpointSpec> = E['query'] extends z.core.$ZodType
  ? z.output<E['query']>
  : Record<never, never>
export type BodyOf<E extends EndpointSpec> = E['upload'] extends UploadSpec
  ? z.output<E['upload']['meta']>
  : E['body'] extends z.core.$ZodType
    ? z.output<E['body']>
    : Record<never, never>
/** What a handler may answer: the response before defaults are filled in. */
export type DataOf<E extends EndpointSpec> = z.input<E['response']>

export type QueryInputOf<E extends EndpointSpec> = E['query'] extends z.core.$ZodType ? z.input<E['query']> : undefined
export type BodyInputOf<E extends EndpointSpec> = E['body'] extends z.core.$ZodType ? z.input<E['body']> : undefined
export type ResultOf<E extends EndpointSpec> = z.output<E['response']>

/** Whether repeating a request under its Idempotency-Key gives the first answer again. A GET changes nothing that matters. */
export const obeysKey = (endpoint: EndpointSpec): boolean =>
  endpoint.method !== 'GET' && (endpoint.effect === 'write' || endpoint.obeysKey === true)

/** Programs and pages of another version than the service's, or of another maker: what they say beyond the contract is ignored. */
const otherVersions: ReadonlySet<CredentialKind> = new Set(['agent', 'companion', 'room', 'link', 'scim', 'assessment'])

/** Whether this caller is told of names in its query and body that the endpoint does not know. */
export const refusesUnknown = (endpoint: EndpointSpec, caller: CredentialKind): boolean =>
  !endpoint.ignoresUnknown && !otherVersions.has(caller)

/** Codes that any endpoint may answer, from its declared shape. */
export const impliedErrors = (endpoint: EndpointSpec): ErrorCode[] => {
  const codes = new Set<ErrorCode>(['invalid_request', 'rate_limited', 'internal_error', 'service_unavailable'])
  if (endpoint.auth.some((rule) => rule.kind !== 'anonymous')) codes.add('unauthorized').add('forbidden')
  if (endpoint.auth.some((rule) => rule.kind === 'api_key')) codes.add('insufficient_scope')
  if (endpoint.path.includes('{')) codes.add('not_found')
  if (obeysKey(endpoint)) codes.add('conflict').add('idempotency_key_reuse')
  for (const code of endpoint.errors ?? []) codes.add(code)
  return [...codes]
}

/** Statuses of refusals, each with the codes that come with it: those of the codes, and those of HTTP itself. */
export const refusals = (endpoint: EndpointSpec): ReadonlyMap<number, readonly ErrorCode[]> => {
  const statuses = new Map<number, ErrorCode[]>([
    [405, ['not_found']],
    [431, ['invalid_request']],
  ])
  if (endpoint.body || endpoint.upload) for (const status of [413, 415]) statuses.set(status, ['invalid_request'])
  if (endpoint.headers?.['range']) statuses.set(416, ['invalid_request'])
  if (endpoint.headers?.['if-match']) statuses.set(412, ['conflict'])
  for (const code of impliedErrors(endpoint)) {
    const { status } = errorCodes[code]
    statuses.set(status, [...(statuses.get(status) ?? []), code])
  }
  return statuses
}
