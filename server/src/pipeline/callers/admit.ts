import type { IncomingMessage } from 'node:http'
import { type EndpointSpec, ServiceError } from '@integrity/protocol'
import type { Actor } from '../../kernel/identity/actor.ts'
import type { Ceiling } from '../../kernel/rate-limited.ts'
import type { Headers } from '../answers/respond.ts'
import { readQuery } from '../bodies/validate.ts'
import type { PipelineParts } from '../pipeline-parts.ts'
import { actAs, authenticate, authorize } from './authenticate.ts'
import { takeAddress, takeAnswer, takeAnswerOfOrg, takeCredential, takeFailure, takeUpload } from './ceilings.ts'
import { checkOrigin } from './origin.ts'

/** What an answer needs to know even when the request is refused half-way. */
export interface Progress {
  /** What every answer to this request carries, also a refusal. */
  readonly headers: Headers
  ceiling: Ceiling | undefined
  endpoint: string
  /** Who asks, once that is known. */
  actor?: Actor
}

export interface Admitted {
  readonly actor: Actor
  readonly query: Readonly<Record<string, string>>
  readonly address: string
}

/** All after the first question mark: a value may hold more of them. */
const searchOf = (url: string): string => (url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')

/**
 * Who sends evidence pays by the byte, as the request says; what says nothing may be as long as the endpoint takes. So does
 * who looks through it.
 */
const takeCeiling = (app: PipelineParts, { upload, ceiling }: EndpointSpec, actor: Actor, request: IncomingMessage) => {
  const { limits } = app.config
  if (ceiling === 'bytes') return takeAnswer(app.rate, limits, actor)
  if (!upload || actor.kind === 'api_key') return takeCredential(app.rate, limits, actor)
  const said = Number(request.headers['content-length'] ?? upload.maxBytes)
  return takeUpload(app.rate, limits, actor, Number.isSafeInteger(said) ? said : upload.maxBytes)
}

/** Where a header is sent twice, Node keeps one of them, and a proxy before it may have looked at the other. */
const refuseRepeated = ({ rawHeaders }: IncomingMessage): void => {
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase()
    if (!single.has(name)) continue
    const message = 'is sent more than once'
    if (seen.has(name))
      throw new ServiceError('invalid_request', `${name}: ${message}`, { details: [{ path: name, message }] })
    seen.add(name)
  }
}
const single: ReadonlySet<string> = new Set(['authorization', 'host', 'content-type', 'idempotency-key'])

/**
 * The first half of the line that every request walks, and every upgrade to a live socket: authenticate → ceiling of the
 * credential, or of the address where none is needed → origin, where a browser sends the credential by itself → membership →
 * scope or permission. A wrong secret counts against its address and keeps only wrong secrets out: the right ones are too long
 * to be found by trying.
 */
export const admit = async (
  app: PipelineParts,
  request: IncomingMessage,
  { endpoint, params }: { endpoint: EndpointSpec; params: Readonly<Record<string, string>> },
  progress: Progress,
): Promise<Admitted> => {
  const { limits } = app.config
  const address = app.addressOf(request)
  refuseRepeated(request)
  const query = readQuery(searchOf(request.url ?? ''))
  let actor: Actor
  try {
    actor = await authenticate(app, endpoint, { headers: request.headers, query, address })
  } catch (error) {
    if (request.headers.authorization || query['token']) await takeFailure(app.rate, limits, 'secrets', address)
    throw error
  }
  progress.actor = actor
  progress.ceiling = await (actor.kind === 'anonymous'
    ? takeAddress(app.rate, limits, endpoint.id, address)
    : takeCeiling(app, endpoint, actor, request))
  checkOrigin(app.config.baseUrl, endpoint, actor, request)
  actor = await actAs(app, endpoint, actor, params)
  authorize(endpoint, actor, params)
  if (endpoint.ceiling === 'bytes') await takeAnswerOfOrg(app.rate, limits, actor)
  return { actor, query, address }
}
