import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type EndpointSpec, endpoints, type Method, ServiceError } from '@integrity/protocol'
import type { Context as KoaContext } from 'koa'
import { isBound } from '../kernel/actor.ts'
import { inTx } from '../kernel/call.ts'
import { type AnswerHeaders, Reply } from '../kernel/handler.ts'
import type { Scope } from '../kernel/scope.ts'
import type { PortalTokens } from '../kernel/sign-ins.ts'
import { admit, type Progress } from './admit.ts'
import { always, forPages, preflight } from './answer-headers.ts'
import { isStillAllowed } from './authenticate.ts'
import { type ReceivedBody, receiveBody } from './body.ts'
import { addRateHeaders, type Ceiling, countFailure, rateHeaders } from './ceilings.ts'
import { once, readKey, type SentAnswer } from './idempotency/idempotent.ts'
import type { AnyCall, AnyInput, AnyRequest, LooseHandler } from './loose-handler.ts'
import type { PipelineParts } from './pipeline-parts.ts'
import { clearingCookies, readPortalCookies, settingCookies } from './portal-cookies.ts'
import { deprecationHeaders, type Headers, sendError, sendText, setHeaders, successText } from './respond.ts'
import { createRoutes, type Route } from './routing.ts'
import { checkAnswer, checkInput } from './validate.ts'
import { joinWrites } from './write-together.ts'

const cookieHeaders = ({ cookies }: Reply<unknown>, baseUrl: string): AnswerHeaders => {
  if (cookies === undefined) return {}
  return cookies === 'clear' ? clearingCookies(baseUrl) : settingCookies(cookies, baseUrl)
}

const toAnswer = (app: PipelineParts, endpoint: EndpointSpec, result: unknown): SentAnswer => {
  const reply = result instanceof Reply ? result : new Reply(result)
  const status = reply.status ?? endpoint.success[0]
  const headers = { ...reply.headers, ...cookieHeaders(reply, app.config.baseUrl) }
  if (status !== 304) checkAnswer(endpoint, reply.data, app.answerCheck)
  return { status, headers, text: status === 304 ? '' : successText(reply.data), replayed: false }
}

const runWrite = async (
  app: PipelineParts,
  handler: LooseHandler,
  asked: AnyRequest,
  bodyHash: () => string,
  endpoint: EndpointSpec,
) => {
  const { call, input } = asked
  let prepared: unknown
  let ready = false
  const discard = async () => {
    if (ready && handler.discard) await handler.discard(call, input, prepared)
  }
  const request = {
    endpoint,
    actor: call.actor,
    params: input.params,
    bodyHash,
    // A read that is audited is done anew each time: a remembered answer could outlive what it tells of.
    key: endpoint.method === 'GET' ? undefined : readKey(call.headers['idempotency-key']),
    cookie: call.headers.cookie,
  }
  // What an Idempotency-Key remembers is one transaction with what it did.
  if (handler.joined && request.key === undefined) return handler.joined.add(asked)
  try {
    const answer = await once(
      app,
      request,
      async (tx) => toAnswer(app, endpoint, await handler.write?.(inTx(call, tx), input, prepared)),
      async () => {
        prepared = await handler.prepare?.(call, input)
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

const noCookies: PortalTokens = { access: undefined, refresh: undefined }

/** Who acts in no organisation has no scope; handlers of such endpoints never hand one on. */
const makeCall = (
  app: PipelineParts,
  { req }: KoaContext,
  endpoint: EndpointSpec,
  fields: Pick<AnyCall, 'actor' | 'requestId' | 'address'>,
): AnyCall => {
  const { actor, address } = fields
  const { headers } = req
  const scope = isBound(actor)
    ? { orgId: actor.orgId, environment: actor.environment }
    : (undefined as unknown as Scope)
  return {
    ...app,
    ...fields,
    scope,
    headers,
    cookies: endpoint.setsCookies ? readPortalCookies(headers.cookie) : noCookies,
    stillAllowed: () => isStillAllowed(app, endpoint, { headers, query: {}, address }),
  } as AnyCall
}

/** The handler with its requests joined, where it says how. */
const withJoinedWrites = (app: PipelineParts, endpoint: EndpointSpec, handler: LooseHandler): LooseHandler => {
  if (!handler.together) return handler
  const answerOf = (result: unknown) => toAnswer(app, endpoint, result)
  const alone = ({ call, input }: AnyRequest) =>
    app.db.transact(async (tx) => answerOf(await handler.write?.(inTx(call, tx), input, undefined)))
  return { ...handler, joined: joinWrites(app, handler.together, answerOf, alone) }
}

export const peekAddress = async (app: PipelineParts, request: IncomingMessage): Promise<Ceiling> => ({
  ...(await app.rate.peek(`address ${app.addressOf(request)}`, app.config.limits.perAddress)),
  scope: 'key',
})

const noBody: ReceivedBody = { value: {}, bytes: undefined, hash: () => hash('sha256', '', 'hex') }

/**
 * The straight line that every request walks: admission (who, ceilings, whether they may; `admit.ts`) → parse → idempotency → handler → check the answer → send.
 */
const serve = async (
  app: PipelineParts,
  koa: KoaContext,
  route: Route,
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
  const hasBody = endpoint.body !== undefined || endpoint.upload !== undefined
  const received = hasBody ? await receiveBody(koa.req, endpoint, query, isPart ? take : undefined) : noBody
  try {
    const input = checkInput(endpoint, params, query, received) as AnyInput
    const call = makeCall(app, koa, endpoint, { actor, requestId, address })
    if (progress.ceiling) addRateHeaders(progress.headers, progress.ceiling)
    await answer(app, koa, endpoint, handler, { call, input }, received.hash, progress)
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
  app: PipelineParts,
  koa: KoaContext,
  endpoint: EndpointSpec,
  handler: LooseHandler,
  asked: AnyRequest,
  bodyHash: () => string,
  { headers }: Progress,
): Promise<void> => {
  const { call, input } = asked
  if (handler.serve) {
    setHeaders(koa, headers)
    return handler.serve(call, input, koa)
  }
  const sent = handler.read
    ? toAnswer(app, endpoint, await handler.read(call, input))
    : await runWrite(app, handler, asked, bodyHash, endpoint).catch(async (error: unknown) => {
        if (call.actor.kind === 'anonymous' && isGuess(error))
          await countFailure(app.rate, app.config.limits, call.address)
        throw error
      })
  Object.assign(headers, sent.headers)
  if (sent.replayed) headers['Idempotency-Replayed'] = 'true'
  sendText(koa, sent.status, sent.status === 304 ? undefined : sent.text, headers)
}

/**
 * Koa's one middleware. Bearer credentials travel in a header that no page sends by itself, so any
 * origin may call; credentials by cookie are never allowed across origins.
 */
export const mount = (app: PipelineParts, declared: Readonly<Record<string, LooseHandler>>) => {
  const handlers: Record<string, LooseHandler> = {}
  for (const endpoint of endpoints as readonly EndpointSpec[]) {
    const handler = declared[endpoint.id]
    if (!handler) throw new Error(`no handler for ${endpoint.id}`)
    handlers[endpoint.id] = withJoinedWrites(app, endpoint, handler)
  }
  const routes = createRoutes(endpoints)
  const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
  const find = (method: string, path: string) => routes.find(method === 'HEAD' ? 'GET' : method, path)

  return async (koa: KoaContext): Promise<void> => {
    const { req, res, path } = koa
    const started = performance.now()
    const requestId = app.newId('req')
    const headers: Headers = { 'X-Request-Id': requestId, ...always }
    if (req.headers.origin !== undefined) Object.assign(headers, forPages)
    const progress: Progress = { headers, ceiling: undefined, endpoint: 'unknown' }
    try {
      if (req.method === 'OPTIONS') {
        const known = methods.filter((candidate) => 'endpoint' in (find(candidate, path) ?? {}))
        if (known.length > 0) {
          return preflight(koa, known, { ...headers, ...forPages, ...rateHeaders(await peekAddress(app, req)) })
        }
      }
      const route = find(koa.method, path)
      if (!route) throw new ServiceError('not_found', 'there is no such endpoint')
      if (!('endpoint' in route))
        throw new ServiceError('not_found', `this path answers ${route.allowed.join(', ')}`, {
          status: 405,
          headers: { Allow: route.allowed.join(', ') },
        })
      progress.endpoint = route.endpoint.id
      if (route.endpoint.deprecated) Object.assign(headers, deprecationHeaders(route.endpoint))
      await serve(app, koa, route, handlers[route.endpoint.id] as LooseHandler, requestId, progress)
    } catch (error) {
      addRateHeaders(headers, progress.ceiling ?? (await peekAddress(app, req)))
      sendError(app, koa, error, requestId, headers)
    } finally {
      app.metrics.request(progress.endpoint, res.statusCode, (performance.now() - started) / 1000)
    }
  }
}
