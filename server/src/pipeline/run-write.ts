import type { IncomingHttpHeaders } from 'node:http'
import type { EndpointSpec } from '@integrity/protocol'
import { inTx } from '../kernel/call.ts'
import type { Tx } from '../platform/db/types.ts'
import { undoOnRollback } from '../platform/db/undo-on-rollback.ts'
import { once, readKey, type SentAnswer } from './idempotent.ts'
import type { AnyRequest, LooseHandler } from './loose-handler.ts'
import type { PipelineParts } from './pipeline-parts.ts'
import { toAnswer } from './to-answer.ts'
import { joinWrites } from './write-together.ts'

/** A write on its way, with what its Idempotency-Key is held to. */
export interface AskedWrite extends AnyRequest {
  readonly endpoint: EndpointSpec
  readonly handler: LooseHandler
  readonly headers: IncomingHttpHeaders
  readonly bodyHash: () => string
}

/** Runs a write once, in its one transaction, with the slow work before it and what undoes that after a refusal or a replay. */
export const runWrite = async (app: PipelineParts, asked: AskedWrite): Promise<SentAnswer> => {
  const { call, input, endpoint, handler, headers, bodyHash } = asked
  let ready: { readonly prepared: unknown } | undefined
  const discard = async () => {
    if (ready) await handler.discard?.(call, input, ready.prepared)
  }
  const request = {
    endpoint,
    actor: call.actor,
    params: input.params,
    bodyHash,
    // A read that is audited is done anew each time: a remembered answer could outlive what it tells of.
    key: endpoint.method === 'GET' ? undefined : readKey(headers['idempotency-key']),
    cookie: headers.cookie,
  }
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
    app.db.transact(async (tx) => answerOf(await handler.write?.(inTx(call, tx), input, undefined)))
  return { ...handler, joined: joinWrites(app, handler.together, answerOf, alone) }
}
