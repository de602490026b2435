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
}

export interface OutAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** To be read to its end, dumped or destroyed: until then it holds its connection. */
  readonly body: Dispatcher.ResponseData['body']
}

/** Sends once through the guarded agent, follows no redirect. Rejects with `BlockedTarget` or what the connection said. */
export const exchange = async (agent: Agent, target: Target, request: OutRequest): Promise<OutAnswer> => {
  if (!target.ok) throw new BlockedTarget(target.reason)
  const { origin, pathname, search } = target.url
  const { method, headers, body, signal, silenceMs } = request
  return agent.request({
    origin,
    path: pathname + search,
    method,
    headers,
    body: body ?? null,
    signal: signal ?? null,
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  })
}
