import { type EndpointSpec, obeysKey, ServiceError } from '@integrity/protocol'
import type { Context as KoaContext } from 'koa'
import type { AnyRequest } from '../any-request.ts'
import { sendBytes } from '../bodies/bytes.ts'
import { isStillAllowed } from '../callers/authenticate.ts'
import { takeFailure } from '../callers/ceilings.ts'
import type { SentAnswer } from '../idempotency/idempotent.ts'
import type { LooseHandler } from '../loose-handler.ts'
import type { PipelineParts } from '../pipeline-parts.ts'
import { type Asked, runBytes, runRead, runWrite } from '../run-write.ts'
import { compress, mayCompress } from './compress.ts'
import { type Headers, sendRefusal, sendText, setHeaders } from './respond.ts'
import { sendEvents } from './sse.ts'

/** A request that was let in and understood, and what its answer will carry. */
export interface Exchange extends AnyRequest {
  readonly koa: KoaContext
  readonly endpoint: EndpointSpec
  readonly handler: LooseHandler
  readonly bodyHash: () => Promise<string> | string
  readonly requestId: string
  readonly headers: Headers
}

/**
 * What an anonymous caller writes with is a secret in the body, such as a join code: a wrong one was a guess, and so is
 * another body under somebody's Idempotency-Key. (Signing in counts its own.)
 */
const isWrong = (error: unknown): boolean =>
  error instanceof ServiceError && (error.code === 'not_found' || error.code === 'idempotency_key_reuse')

/**
 * A guess that may be right by chance counts before it is looked at, and an address with too many wrong ones has none looked
 * at any more. A long secret is looked at in any case, so that wrong ones of its address bar none that is right.
 */
const write = async (app: PipelineParts, asked: Asked): Promise<SentAnswer> => {
  const { call, endpoint, headers } = asked
  if (call.actor.kind !== 'anonymous') return runWrite(app, asked)
  const { address } = call
  const hasKey = obeysKey(endpoint) && headers['idempotency-key'] !== undefined
  if (endpoint.guessable || hasKey)
    return app.failures.guess({ what: endpoint.id, address, isWrong }, () => runWrite(app, asked))
  try {
    return await runWrite(app, asked)
  } catch (error) {
    if (isWrong(error)) await takeFailure(app.rate, app.config.limits, endpoint.id, address)
    throw error
  }
}

/** Runs the handler as its kind asks and sends what it answers. */
export const answer = async (app: PipelineParts, exchange: Exchange): Promise<void> => {
  const { koa, endpoint, handler, headers, call, input } = exchange
  const asked: Asked = { ...exchange, headers: koa.req.headers }
  const send = (sent: SentAnswer) => {
    Object.assign(headers, sent.headers)
    if (sent.replayed) headers['Idempotency-Replayed'] = 'true'
    if (sent.status >= 400) return sendRefusal(app, koa, sent, headers, endpoint.wire)
    const isEmpty = sent.status === 304 || sent.status === 204
    sendText(koa, sent.status, isEmpty ? undefined : sent.text, headers, endpoint.wire)
  }
  if (handler.content) {
    const given = await runBytes(app, asked)
    if ('status' in given) return send(given)
    if (given.replayed) headers['Idempotency-Replayed'] = 'true'
    setHeaders(koa, headers)
    return sendBytes(koa, given.content)
  }
  if (handler.follow) {
    setHeaders(koa, headers)
    const request = { headers: koa.req.headers, query: {}, address: call.address }
    const letIn = { request, params: input.params, actor: call.actor }
    const stillAllowed = () => isStillAllowed(app, endpoint, letIn)
    const listener = { credential: call.actor.id, stillAllowed, requestId: exchange.requestId }
    return sendEvents(app, koa, listener, await handler.follow(call, input))
  }
  if (!handler.read) return send(await write(app, asked))
  const sent = await runRead(app, asked)
  if (sent.status === 304 || !mayCompress(endpoint, sent.headers['ETag']?.toString())) return send(sent)
  headers['Vary'] = 'Accept-Encoding'
  const short = await compress(koa, sent.text)
  if (!short) return send(sent)
  headers['Content-Encoding'] = short.encoding
  sendText(koa, sent.status, short.bytes, { ...headers, ...sent.headers }, endpoint.wire)
}
