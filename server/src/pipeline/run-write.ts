import type { IncomingHttpHeaders } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type EndpointSpec, obeysKey } from '@integrity/protocol'
import { inTx } from '../kernel/call.ts'
import type { Content, WholeContent } from '../kernel/content.ts'
import type { Tx } from '../platform/db/types.ts'
import { undoOnRollback } from '../platform/db/undo-on-rollback.ts'
import { toAnswer } from './answers/to-answer.ts'
import type { AnyRequest } from './any-request.ts'
import { type KeyedRequest, once, readKey, type SentAnswer } from './idempotency/idempotent.ts'
import type { LooseHandler } from './loose-handler.ts'
import type { PipelineParts } from './pipeline-parts.ts'
import { joinWrites } from './write-together.ts'

/** A request on its way, with what its Idempotency-Key is held to. */
export interface Asked extends AnyRequest {
  readonly endpoint: EndpointSpec
  readonly handler: LooseHandler
  readonly headers: IncomingHttpHeaders
  readonly bodyHash: () => Promise<string> | string
  readonly requestId: string
}

const keyedRequest = ({ call, input, endpoint, headers, bodyHash, requestId }: Asked): KeyedRequest => ({
  endpoint,
  actor: call.actor,
  params: input.params,
  bodyHash,
  key: obeysKey(endpoint) ? readKey(headers['idempotency-key']) : undefined,
  cookie: headers.cookie,
  requestId,
})

/** A read, which under a key is done before the transaction that remembers it. */
export const runRead = async (app: PipelineParts, asked: Asked): Promise<SentAnswer> => {
  const { call, input, endpoint, handler, headers } = asked
  const read = async () => {
    const result = await handler.read?.(call, input)
    // Much was read, perhaps: to make it and to write it are two turns, between which others have theirs.
    if (handler.long) await nextTurn()
    return toAnswer(app, endpoint, result, headers['if-none-match'])
  }
  const request = keyedRequest(asked)
  if (request.key === undefined) return read()
  let made: SentAnswer | undefined
  const prepare = async () => {
    made = await read()
  }
  return once(app, request, () => Promise.resolve(made as SentAnswer), prepare)
}

/** More is made again for whoever asks again. */
const keptBytes = 1024 * 1024

interface Gathered {
  readonly content: Content
  /** Closes what it is read from, where nobody will read it. */
  discard(): Promise<void>
}

/** The same content in one buffer, where it is short enough to be remembered. */
const gathered = async (content: Content): Promise<Gathered> => {
  const whole = { content, discard: () => Promise.resolve() }
  if (!('body' in content) || Buffer.isBuffer(content.body)) return whole
  const pieces: Buffer[] = []
  let length = 0
  const rest = content.body[Symbol.asyncIterator]()
  for (;;) {
    const { done, value } = await rest.next()
    if (done) return { ...whole, content: { ...content, body: Buffer.concat(pieces) } }
    pieces.push(Buffer.from(value))
    length += value.length
    if (length > keptBytes) break
  }
  const discard = async () => void (await rest.return?.())
  const body = async function* () {
    try {
      yield* pieces
      yield* { [Symbol.asyncIterator]: () => rest }
    } finally {
      await discard()
    }
  }
  return { content: { ...content, body: body() }, discard }
}

/** The answer of bytes as it is remembered; nothing of what is written while it is read, or is too long. */
const keptOf = (content: Content): string => {
  if (!('body' in content) || !Buffer.isBuffer(content.body) || content.body.length > keptBytes) return ''
  return JSON.stringify({ ...content, body: content.body.toString('base64') })
}
const contentOf = (kept: string): WholeContent => {
  const content = JSON.parse(kept) as Omit<WholeContent, 'body'> & { readonly body: string }
  return { ...content, body: Buffer.from(content.body, 'base64') }
}

/**
 * Bytes. Under a key the first request's answer is given again, byte by byte; one that is too long to be remembered is made
 * and accounted for again, and is not said to be a replay.
 */
export const runBytes = async (
  app: PipelineParts,
  asked: Asked,
): Promise<{ readonly content: Content; readonly replayed: boolean } | SentAnswer> => {
  const { call, input, handler } = asked
  const make = async () => (await handler.content?.(call, input)) as Content
  const request = keyedRequest(asked)
  if (request.key === undefined) return { content: await make(), replayed: false }
  let made: Gathered | undefined
  const prepare = async () => {
    made = await gathered(await make())
  }
  const given = () =>
    Promise.resolve({ status: 200, text: made ? keptOf(made.content) : '', headers: {}, replayed: false })
  const discard = async () => made?.discard()
  const answer = await undoOnRollback(() => once(app, request, given, prepare), discard)
  if (answer.status < 400 && !(answer.replayed && answer.text !== ''))
    return { content: made?.content ?? (await make()), replayed: false }
  await discard()
  return answer.status >= 400 ? answer : { content: contentOf(answer.text), replayed: true }
}

/** Runs a write once, in its one transaction, with the slow work before it and what undoes that after a refusal or a replay. */
export const runWrite = async (app: PipelineParts, asked: Asked): Promise<SentAnswer> => {
  const { call, input, endpoint, handler } = asked
  let ready: { readonly prepared: unknown } | undefined
  const discard = async () => {
    if (ready) await handler.discard?.(call, input, ready.prepared)
  }
  const request = keyedRequest(asked)
  // What an Idempotency-Key remembers is one transaction with what it did.
  if (handler.joined && request.key === undefined) return handler.joined.add({ call, input })
  const run = async (tx: Tx) => toAnswer(app, endpoint, await handler.write?.(inTx(call, tx), input, ready?.prepared))
  const prepare = async () => {
    ready = { prepared: await handler.prepare?.(call, input) }
  }
  const answer = await undoOnRollback(() => once(app, request, run, prepare), discard)
  if (answer.replayed) await discard()
  return answer
}

/** The handler with its requests joined, where it says how. */
export const withJoinedWrites = (app: PipelineParts, endpoint: EndpointSpec, handler: LooseHandler): LooseHandler => {
  if (!handler.together) return handler
  const answerOf = (result: unknown) => toAnswer(app, endpoint, result)
  const alone = ({ call, input }: AnyRequest) =>
    app.requestDb.transact(async (tx) => answerOf(await handler.write?.(inTx(call, tx), input, undefined)))
  return { ...handler, joined: joinWrites(app, handler.together, answerOf, alone) }
}
