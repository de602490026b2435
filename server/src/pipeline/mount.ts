import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type EndpointSpec, endpoints, type Method, ServiceError } from '@integrity/protocol'
import type { Context as KoaContext } from 'koa'
import { addRateHeaders, rateHeaders } from '../kernel/rate-limited.ts'
import type { OpenSpan } from '../platform/traces/traces.ts'
import { answer } from './answers/answer.ts'
import { always, forPages, preflight } from './answers/answer-headers.ts'
import { readerFor } from './answers/long-reads.ts'
import { refusalPage, wantsPage } from './answers/refusal-page.ts'
import { deprecationHeaders, type Headers, sendError } from './answers/respond.ts'
import type { AnyInput } from './any-request.ts'
import { type ReceivedBody, receiveBody } from './bodies/body.ts'
import { costOf, free } from './bodies/body-cost.ts'
import { boundRest } from './bodies/read-body.ts'
import { plainPath, wireOfPath } from './bodies/scim-wire.ts'
import { checkInput } from './bodies/validate.ts'
import { admit, type Progress } from './callers/admit.ts'
import { takePage, takeStray } from './callers/ceilings.ts'
import type { LooseHandler } from './loose-handler.ts'
import { makeCall } from './make-call.ts'
import { noteRequest } from './note-request.ts'
import type { PipelineParts } from './pipeline-parts.ts'
import { createRoutes, type Route } from './routing.ts'
import { withJoinedWrites } from './run-write.ts'
import { answerFacts, requestSpan } from './trace-request.ts'

/**
 * Counts a request that was refused before it counted for anybody; answers what is to be sent, which is the wait where there
 * were too many.
 */
export const countStray = async (
  app: PipelineParts,
  request: IncomingMessage,
  progress: Progress,
  refusal: unknown,
): Promise<unknown> => {
  if (progress.ceiling) return refusal
  try {
    progress.ceiling = await takeStray(app.rate, app.config.limits, app.addressOf(request))
    return refusal
  } catch (error) {
    return error
  }
}

/** Addresses that programs ask; of all others people may have a link. */
const isInterface = /^\/(?:v1|scim)(?:\/|$)/

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
  const hasBody = endpoint.body !== undefined || endpoint.upload !== undefined
  const cost = hasBody ? await costOf(app, koa.req, { endpoint, actor, address }) : undefined
  // When the body breaks off its buffer is not given back: the socket may still write into it.
  const parse = cost
    ? await receiveBody(koa.req, endpoint, query, app.config.limits, isPart ? take : undefined)
    : () => noBody
  try {
    const check = () => {
      const received = parse()
      return { received, input: checkInput(endpoint, actor.kind, params, query, received) as AnyInput }
    }
    const { received, input } = cost ? cost.measured(check) : check()
    const reader = await readerFor(app, endpoint, handler, actor)
    const call = {
      ...makeCall(app, endpoint, { actor, address, cost: cost ?? free }, koa.req.headers, requestId),
      reader,
    }
    if (progress.ceiling) addRateHeaders(progress.headers, progress.ceiling)
    const { headers } = progress
    await answer(app, { koa, endpoint, handler, call, input, bodyHash: received.hash, requestId, headers })
  } finally {
    for (const buffer of pooled) app.buffers.give(buffer)
  }
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
  const find = (method: string, path: string) => routes.find(method === 'HEAD' ? 'GET' : method, plainPath(path))

  return async (koa: KoaContext): Promise<void> => {
    const { req, res, path } = koa
    const started = performance.now()
    const requestId = app.newId('req')
    const headers: Headers = { 'X-Request-Id': requestId, ...always }
    if (req.headers.origin !== undefined) Object.assign(headers, forPages)
    const progress: Progress = { headers, ceiling: undefined, endpoint: 'unknown' }
    let asPage = !isInterface.test(path) && wantsPage(req)
    let spec: EndpointSpec | undefined
    let refusal: unknown
    let span: OpenSpan | undefined
    try {
      if (req.method === 'OPTIONS') {
        const known = methods.filter((candidate) => 'endpoint' in (find(candidate, path) ?? {}))
        if (known.length > 0) {
          progress.ceiling = await takePage(app.rate, app.config.limits, app.addressOf(req))
          return preflight(koa, known, { ...headers, ...forPages, ...rateHeaders(progress.ceiling) })
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
      spec = route.endpoint
      asPage = route.endpoint.visited === true && wantsPage(req)
      if (route.endpoint.deprecated) Object.assign(headers, deprecationHeaders(route.endpoint))
      const handler = handlers[route.endpoint.id] as LooseHandler
      span = app.traces.begin(requestSpan(req, route.endpoint, requestId))
      await span.run(() => serve(app, koa, route, handler, requestId, progress))
    } catch (thrown) {
      const error = await countStray(app, req, progress, thrown)
      refusal = error
      if (progress.ceiling) addRateHeaders(headers, progress.ceiling)
      sendError(app, koa, error, requestId, headers, asPage ? { page: refusalPage } : { wire: wireOfPath(path) })
    } finally {
      boundRest(req)
      const ms = performance.now() - started
      const { actor } = progress
      noteRequest(app, { actor, endpoint: spec, requestId, status: res.statusCode, ms, thrown: refusal })
      app.metrics.request(progress.endpoint, res.statusCode, ms / 1000)
      span?.end(answerFacts(res.statusCode, refusal))
      app.log.debug({ requestId, endpoint: progress.endpoint, status: res.statusCode, ms: Math.round(ms) }, 'a request')
    }
  }
}
