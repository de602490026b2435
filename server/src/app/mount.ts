import type { IncomingMessage } from 'node:http'
import { type EndpointSpec, endpoints, type Method, ServiceError } from '@integrity/protocol'
import type { Context as KoaContext } from 'koa'
import { isBound } from '../platform/actor.ts'
import type { Tx } from '../platform/db/types.ts'
import type { Scope } from '../platform/scope.ts'
import { admit, type Progress } from './admit.ts'
import { receiveBody } from './body.ts'
import { type Ceiling, countFailure, rateHeaders } from './ceilings.ts'
import type { AppContext } from './context.ts'
import { type AnyCall, Reply } from './handler.ts'
import { once, readKey, type SentAnswer } from './idempotent.ts'
import { deprecationHeaders, type Headers, sendError, sendText, setHeaders, successText } from './respond.ts'
import { createRoutes } from './routing.ts'
import { checkAnswer, checkInput } from './validate.ts'

/** A handler of any endpoint, with its types forgotten; `HandlerMap` has checked them. */
export interface LooseHandler {
  read?(call: AnyCall): Promise<unknown>
  prepare?(call: AnyCall): Promise<unknown>
  write?(call: AnyCall & { tx: Tx }, prepared: unknown): Promise<unknown>
  discard?(call: AnyCall, prepared: unknown): Promise<void>
  serve?(call: AnyCall, koa: KoaContext): Promise<void>
}

const toAnswer = (app: AppContext, endpoint: EndpointSpec, result: unknown): SentAnswer => {
  const reply = result instanceof Reply ? result : new Reply(result)
  const status = reply.status ?? endpoint.success[0]
  if (status !== 304) checkAnswer(endpoint, reply.data, app.answerCheck)
  return { status, headers: reply.headers, text: status === 304 ? '' : successText(reply.data), replayed: false }
}

const runWrite = async (
  app: AppContext,
  handler: LooseHandler,
  call: AnyCall,
  bodyHash: () => string,
  endpoint: EndpointSpec,
) => {
  let prepared: unknown
  let ready = false
  const discard = async () => {
    if (ready && handler.discard) await handler.discard(call, prepared)
  }
  const request = {
    endpoint,
    actor: call.actor,
    params: call.input.params,
    bodyHash,
    // A read that is audited is done anew each time: a remembered answer could outlive what it tells of.
    key: endpoint.method === 'GET' ? undefined : readKey(call.headers['idempotency-key']),
    cookie: call.headers.cookie,
  }
  try {
    const answer = await once(
      app,
      request,
      async (tx) => toAnswer(app, endpoint, await handler.write?.({ ...call, scope: call.scope, tx }, prepared)),
      async () => {
        prepared = await handler.prepare?.(call)
        ready = true
      },
    )
    if (answer.replayed) await discard()
    return answer
  } catch (error) {
    await discard()
    throw error
  }
}

/** Who acts in no organisation has no scope; handlers of such endpoints never hand one on. */
const makeCall = (
  app: AppContext,
  koa: KoaContext,
  fields: Pick<AnyCall, 'input' | 'actor' | 'requestId' | 'address'>,
): AnyCall => {
  const { actor } = fields
  const scope = isBound(actor)
    ? { orgId: actor.orgId, environment: actor.environment }
    : (undefined as unknown as Scope)
  return { ...fields, app, scope, headers: koa.req.headers } as AnyCall
}

export const peekAddress = async (app: AppContext, request: IncomingMessage): Promise<Ceiling> => ({
  ...(await app.rate.peek(`address ${app.addressOf(request)}`, app.config.limits.perAddress)),
  scope: 'key',
})

/**
 * The straight line that every request walks: admission (who, ceilings, whether they may; `admit.ts`) → parse → idempotency → handler → check the answer → send.
 */
const serve = async (
  app: AppContext,
  koa: KoaContext,
  route: { endpoint: EndpointSpec; params: Readonly<Record<string, string>> },
  handler: LooseHandler,
  requestId: string,
  progress: Progress,
): Promise<void> => {
  const { endpoint, params } = route
  const { actor, query, address } = await admit(app, koa.req, route, progress)
  // Parts are megabytes each: a fresh buffer for every one of them keeps the collector busier than the cipher.
  const pooled: Buffer[] = []
  const take = (length: number): Buffer => {
    const buffer = app.buffers.take(length)
    pooled.push(buffer)
    return buffer
  }
  const isPart = endpoint.upload?.from === 'part'
  // When the body breaks off its buffer is not given back: the socket may still write into it.
  const received = await receiveBody(koa.req, endpoint, query, isPart ? take : undefined)
  try {
    const input = checkInput(endpoint, params, query, received) as AnyCall['input']
    const call = makeCall(app, koa, { input, actor, requestId, address })
    if (progress.ceiling) Object.assign(progress.headers, rateHeaders(progress.ceiling))
    await answer(app, koa, endpoint, handler, call, received.hash, progress)
  } finally {
    for (const buffer of pooled) app.buffers.give(buffer)
  }
}

/**
 * What an anonymous caller writes with is a secret in the body, such as a join code: a wrong one was a guess, and so is
 * another body under somebody's Idempotency-Key. (Signing in counts its own, before the next attempt is looked at.)
 */
const isGuess = (error: unknown): boolean =>
  error instanceof ServiceError && (error.code === 'not_found' || error.code === 'idempotency_key_reuse')

/** Runs the handler as its kind asks and sends what it answers. */
const answer = async (
  app: AppContext,
  koa: KoaContext,
  endpoint: EndpointSpec,
  handler: LooseHandler,
  call: AnyCall,
  bodyHash: () => string,
  { headers }: Progress,
): Promise<void> => {
  if (handler.serve) {
    setHeaders(koa, headers)
    return handler.serve(call, koa)
  }
  const sent = handler.read
    ? toAnswer(app, endpoint, await handler.read(call))
    : await runWrite(app, handler, call, bodyHash, endpoint).catch(async (error: unknown) => {
        if (call.actor.kind === 'anonymous' && isGuess(error))
          await countFailure(app.rate, app.config.limits, call.address)
        throw error
      })
  Object.assign(headers, sent.headers)
  if (sent.replayed) headers['Idempotency-Replayed'] = 'true'
  sendText(koa, sent.status, sent.status === 304 ? undefined : sent.text, headers)
}

const preflight = (koa: KoaContext, allowed: readonly string[], headers: Headers): void => {
  sendText(koa, 204, undefined, {
    ...headers,
    'Access-Control-Allow-Methods': [...allowed, 'OPTIONS'].join(', '),
    'Access-Control-Allow-Headers':
      'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, Range, X-Service-Evidence-Meta, X-Service-Part-Sha256',
    'Access-Control-Max-Age': '600',
  })
}

/** On every answer. */
export const always = {
  'X-Service-Api-Version': 'v1',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

const exposed = [
  'X-Request-Id, X-Service-Api-Version, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Scope',
  'RateLimit-Policy, RateLimit',
  'Retry-After, Idempotency-Replayed, ETag, Deprecation, Sunset, Content-Range',
].join(', ')

const forPages = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': exposed }

/**
 * Koa's one middleware. Bearer credentials travel in a header that no page sends by itself, so any origin may call;
 * credentials by cookie are never allowed across origins.
 */
export const mount = (app: AppContext, handlers: Readonly<Record<string, LooseHandler>>) => {
  for (const endpoint of endpoints as readonly EndpointSpec[])
    if (!handlers[endpoint.id]) throw new Error(`no handler for ${endpoint.id}`)
  const routes = createRoutes(endpoints)
  const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

  return async (koa: KoaContext): Promise<void> => {
    const started = performance.now()
    const requestId = app.newId('req')
    const fromPage = koa.req.headers.origin !== undefined
    const headers: Headers = { 'X-Request-Id': requestId, ...always, ...(fromPage && forPages) }
    const progress: Progress = { headers, ceiling: undefined, endpoint: 'unknown' }
    try {
      const method = koa.method === 'HEAD' ? 'GET' : koa.method
      if (method === 'OPTIONS') {
        const known = methods.filter((candidate) => 'endpoint' in (routes.find(candidate, koa.path) ?? {}))
        if (known.length > 0) {
          return preflight(koa, known, { ...headers, ...forPages, ...rateHeaders(await peekAddress(app, koa.req)) })
        }
      }
      const route = routes.find(method, koa.path)
      if (!route) throw new ServiceError('not_found', 'there is no such endpoint')
      if (!('endpoint' in route))
        throw new ServiceError('not_found', `this path answers ${route.allowed.join(', ')}`, {
          status: 405,
          headers: { Allow: route.allowed.join(', ') },
        })
      progress.endpoint = route.endpoint.id
      Object.assign(headers, deprecationHeaders(route.endpoint))
      await serve(app, koa, route, handlers[route.endpoint.id] as LooseHandler, requestId, progress)
    } catch (error) {
      Object.assign(headers, rateHeaders(progress.ceiling ?? (await peekAddress(app, koa.req))))
      sendError(app, koa, error, requestId, headers)
    } finally {
      app.metrics.request(progress.endpoint, koa.res.statusCode, (performance.now() - started) / 1000)
    }
  }
}
