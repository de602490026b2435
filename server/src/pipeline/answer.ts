import { type EndpointSpec, ServiceError } from '@integrity/protocol'
import type { Context as KoaContext } from 'koa'
import { isStillAllowed } from './authenticate.ts'
import { sendBytes } from './bytes.ts'
import { takeFailure } from './ceilings.ts'
import type { SentAnswer } from './idempotent.ts'
import type { AnyRequest, LooseHandler } from './loose-handler.ts'
import type { PipelineParts } from './pipeline-parts.ts'
import { type Headers, sendText, setHeaders } from './respond.ts'
import { runWrite } from './run-write.ts'
import { sendEvents } from './sse.ts'
import { toAnswer } from './to-answer.ts'

/** A request that was let in and understood, and what its answer will carry. */
export interface Exchange extends AnyRequest {
  readonly koa: KoaContext
  readonly endpoint: EndpointSpec
  readonly handler: LooseHandler
  readonly bodyHash: () => string
  readonly requestId: string
  readonly headers: Headers
}

/**
 * What an anonymous caller writes with is a secret in the body, such as a join code: a wrong one was a guess, and so is
 * another body under somebody's Idempotency-Key. (Signing in counts its own, before the next attempt is looked at.)
 */
const isGuess = (error: unknown): boolean =>
  error instanceof ServiceError && (error.code === 'not_found' || error.code === 'idempotency_key_reuse')

const write = async (app: PipelineParts, exchange: Exchange): Promise<SentAnswer> => {
  const { call, koa } = exchange
  try {
    return await runWrite(app, { ...exchange, headers: koa.req.headers })
  } catch (error) {
    if (call.actor.kind === 'anonymous' && isGuess(error))
      await takeFailure(app.rate, app.config.limits, exchange.endpoint.id, call.address)
    throw error
  }
}

/** Runs the handler as its kind asks and sends what it answers. */
export const answer = async (app: PipelineParts, exchange: Exchange): Promise<void> => {
  const { koa, endpoint, handler, headers, call, input } = exchange
  if (handler.content) {
    setHeaders(koa, headers)
    return sendBytes(koa, await handler.content(call, input))
  }
  if (handler.follow) {
    setHeaders(koa, headers)
    const asked = { headers: koa.req.headers, query: {}, address: call.address }
    const stillAllowed = () => isStillAllowed(app, endpoint, asked)
    const listener = { credential: call.actor.id, stillAllowed, requestId: exchange.requestId }
    return sendEvents(app, koa, listener, await handler.follow(call, input))
  }
  const sent = handler.read
    ? toAnswer(app, endpoint, await handler.read(call, input), koa.req.headers['if-none-match'])
    : await write(app, exchange)
  Object.assign(headers, sent.headers)
  if (sent.replayed) headers['Idempotency-Replayed'] = 'true'
  sendText(koa, sent.status, sent.status === 304 ? undefined : sent.text, headers)
}
