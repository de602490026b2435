import { setTimeout as pause } from 'node:timers/promises'
import { connectionFaultOf } from '../../http-out/connection-fault.ts'
import { BlockedTarget } from '../../http-out/guarded-connector.ts'
import type { HttpOut, OutAnswer } from '../../http-out/http-out.ts'
import { StorageError } from '../types.ts'

/** What every provider's calls need. */
export interface RemoteOptions {
  readonly http: Pick<HttpOut, 'request'>
  /** The real time, which signatures carry. */
  readonly now: () => number
  /** How long nothing may come over a connection. Milliseconds. */
  readonly silenceMs?: number
  /** Before the second try, doubled for each further one. Milliseconds. */
  readonly retryMs?: number
  /** How often something is asked at most. */
  readonly tries?: number
}

export interface Signed {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer | undefined
}

const usualTries = 4
/** Twice this is what a caller waits for a provider that is silent: less than proxies before this server do. */
const usualSilenceMs = 12_000
const silentTries = 2
const usualRetryMs = 200
const busy = new Set([408, 429, 500, 502, 503, 504])
/** A thousand entries of Azure, which says most of each. */
const maxTextBytes = 1536 * 1024

/** What broke off, as an error whose words a person may read. */
export const connectionError = (cause: unknown): StorageError => {
  if (cause instanceof StorageError) return cause
  if (cause instanceof BlockedTarget)
    return new StorageError('denied', `the endpoint is refused: ${cause.reason}`, { cause })
  return new StorageError('unreachable', `the provider cannot be reached: ${connectionFaultOf(cause).words}`, { cause })
}

/** Nothing came, as opposed to something that broke. */
const isSilence = ({ cause }: StorageError): boolean =>
  /^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)/.test(String((cause as { code?: unknown } | undefined)?.code))

/** The text of an answer, up to 1.5 MiB; what is longer is no answer to any of our questions. */
export const textOf = async ({ body }: OutAnswer): Promise<string> => {
  const pieces: Buffer[] = []
  let length = 0
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      length += piece.length
      if (length > maxTextBytes)
        throw new StorageError('unusable', 'the provider answers at more length than it should')
      pieces.push(piece)
    }
  } catch (error) {
    throw connectionError(error)
  }
  return Buffer.concat(pieces).toString('utf8')
}

/**
 * Sends, and tries again when the connection broke or the provider is busy; every call of ours may be repeated. Answers
 * the last try's answer, whatever its status, `read` as the caller wants it.
 */
export const sendRetrying = async <T>(
  { http, silenceMs = usualSilenceMs, retryMs = usualRetryMs, tries = usualTries }: RemoteOptions,
  sign: () => Signed,
  read: (answer: OutAnswer) => Promise<T>,
): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      const { url, ...request } = sign()
      const answer = await http.request(url.href, { ...request, silenceMs })
      if (!busy.has(answer.statusCode) || attempt === tries) return await read(answer)
      await answer.body.dump()
    } catch (error) {
      const failure = connectionError(error)
      const most = isSilence(failure) ? Math.min(silentTries, tries) : tries
      if (attempt >= most || failure.code !== 'unreachable') throw failure
    }
    await pause(retryMs * 2 ** (attempt - 1))
  }
}

export const headerOf = (headers: OutAnswer['headers'], name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' ? value : value?.[0]
}

/** How long the whole is of which an answer is a part. */
export const totalOf = (headers: OutAnswer['headers']): number => {
  const total = Number(/\/(\d+)$/.exec(headerOf(headers, 'content-range') ?? '')?.[1])
  if (!Number.isSafeInteger(total))
    throw new StorageError('unusable', 'the provider does not say how long an object is')
  return total
}
