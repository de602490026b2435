import type { BodyInputOf, CredentialEnding, EndpointMap } from '@integrity/protocol'
import type { ConsentDocument, LinkEnd, RoomFacts, Still } from './room.types.ts'

type Id = 'rooms.get' | 'rooms.consent' | 'rooms.release' | 'agent.cameraFrames.upload'
export type EndpointTable = Readonly<Record<Id, { readonly method: string; readonly path: string }>>

export type ApiProblemKind =
  /** No answer, or one that says to come back later. */
  | 'later'
  | 'unauthorized'
  | 'forbidden'
  | 'conflict'
  /** It would be refused again. */
  | 'refused'

/** A request that did not succeed, as far as the page has to know. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly kind: ApiProblemKind
  readonly retryAfterMs: number | undefined
  readonly linkEnd: LinkEnd
  /** The document in force, when another one was answered. */
  readonly document: ConsentDocument | undefined

  constructor(
    kind: ApiProblemKind,
    more: { retryAfterMs?: number; linkEnd?: LinkEnd; document?: ConsentDocument; cause?: unknown } = {},
  ) {
    super(kind, { cause: more.cause })
    this.kind = kind
    this.retryAfterMs = more.retryAfterMs
    this.linkEnd = more.linkEnd ?? 'wrong'
    this.document = more.document
  }
}

export type ConsentAnswer = BodyInputOf<EndpointMap['rooms.consent']>

export interface RoomApi {
  read(): Promise<RoomFacts>
  answer(answer: ConsentAnswer): Promise<RoomFacts>
  send(still: Still): Promise<void>
  release(): Promise<void>
}

export interface RoomApiOptions {
  /** Where the service lives, ending in a slash. */
  readonly baseUrl: string
  readonly sessionId: string
  readonly token: string
  readonly endpoints: EndpointTable
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Told the `Date` of each answer, with when it was asked for and came, epoch milliseconds. */
  readonly onDate?: (date: string, askedAt: number, cameAt: number) => void
}

/** Long enough for a picture over a slow line; then the queue tries again. */
const patienceMs = 30_000

interface Sent {
  readonly body?: BodyInit
  readonly headers?: Readonly<Record<string, string>>
}
interface Refusal {
  readonly reason?: CredentialEnding
  readonly consentDocument?: ConsentDocument
}

const endings: Readonly<Record<CredentialEnding, LinkEnd>> = {
  released: 'released',
  expired: 'expired',
  session_ended: 'ended',
}

const problemOf = (response: Response, refusal: Refusal): ApiProblem => {
  const seconds = Number(response.headers.get('retry-after'))
  const wait = seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}
  const { status } = response
  if (status === 401)
    return new ApiProblem('unauthorized', { linkEnd: (refusal.reason && endings[refusal.reason]) ?? 'wrong' })
  // The token belongs to another session than the one the link names.
  if (status === 404) return new ApiProblem('unauthorized')
  if (status === 403) return new ApiProblem('forbidden')
  if (status === 409)
    return new ApiProblem('conflict', refusal.consentDocument ? { document: refusal.consentDocument } : {})
  if (status === 408 || status === 429 || status >= 500) return new ApiProblem('later', wait)
  return new ApiProblem('refused')
}

/** The four requests of the room. One request, one answer: trying again is the caller's decision. */
export const createRoomApi = (options: RoomApiOptions): RoomApi => {
  const call = async (id: Id, params: Record<string, string>, init: Sent = {}): Promise<unknown> => {
    const { method, path } = options.endpoints[id]
    const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''))
    const headers = { accept: 'application/json', authorization: `Bearer ${options.token}`, ...init.headers }
    const signal = AbortSignal.timeout(patienceMs)
    const askedAt = Date.now()
    let response: Response
    let body: { success?: boolean; data?: unknown; error?: Refusal } | undefined
    try {
      // A network that asks for a sign-in answers with a redirect or a page of its own: that is no answer of the service.
      const url = options.baseUrl + filled.slice(1)
      response = await options.fetch(url, { ...init, method, headers, signal, redirect: 'error', cache: 'no-store' })
      body = (await response.json()) as typeof body
    } catch (cause) {
      throw new ApiProblem('later', { cause })
    }
    const date = response.headers.get('date')
    if (date) options.onDate?.(date, askedAt, Date.now())
    if (response.ok && body?.success === true) return body.data
    if (body?.success !== false) throw new ApiProblem('later')
    throw problemOf(response, body.error ?? {})
  }
  const params = { sessionId: options.sessionId }
  const json = (body: unknown) => ({ body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
  return {
    read: async () => (await call('rooms.get', params)) as RoomFacts,
    answer: async (answer) => (await call('rooms.consent', params, json(answer))) as RoomFacts,
    release: async () => {
      await call('rooms.release', params, json({}))
    },
    send: async ({ bytes, sessionId, ...meta }) => {
      const headers = {
        'content-type': meta.contentType,
        'x-service-evidence-meta': JSON.stringify({ ...meta, trigger: 'interval' }),
      }
      await call('agent.cameraFrames.upload', { id: sessionId }, { body: bytes, headers })
    },
  }
}
