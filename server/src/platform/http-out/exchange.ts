import { Readable } from 'node:stream'
import type { Agent, Dispatcher } from 'undici'
import { BlockedTarget } from './guarded-connector.ts'
import type { Target } from './target.ts'

/** A request whose answer is read as it comes. */
export interface OutRequest {
  readonly method: Dispatcher.HttpMethod
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer | undefined
  readonly signal?: AbortSignal | undefined
  /** How long nothing may come, before the headers and then between two pieces. Milliseconds. */
  readonly silenceMs: number
  /** Told as pieces of the body leave. */
  readonly onSent?: (() => void) | undefined
  /** On a connection of its own, which is opened for it: it waits behind nothing else. */
  readonly apart?: boolean
}

export interface OutAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** To be read to its end, dumped or destroyed: until then it holds its connection. */
  readonly body: Dispatcher.ResponseData['body']
}

const pieceBytes = 256 * 1024

/** As undici asks for it: a piece when what went before has left. A body of one piece says nothing. */
async function* inPieces(body: Buffer, onSent: () => void): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += pieceBytes) {
    if (at > 0) onSent()
    yield body.subarray(at, at + pieceBytes)
  }
}

/** Sends once through the guarded agent, follows no redirect. Rejects with `BlockedTarget` or what the connection said. */
export const exchange = async (agent: Agent, target: Target, request: OutRequest): Promise<OutAnswer> => {
  if (!target.ok) throw new BlockedTarget(target.reason)
  const { origin, pathname, search } = target.url
  const { method, headers, body, signal, silenceMs, onSent } = request
  return agent.request({
    origin,
    path: pathname + search,
    method,
    headers,
    body: body && onSent && body.length > pieceBytes ? Readable.from(inPieces(body, onSent)) : (body ?? null),
    signal: signal ?? null,
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  })
}
