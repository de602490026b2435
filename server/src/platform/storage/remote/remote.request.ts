import { setTimeout as pause } from 'node:timers/promises'
import { connectionFaultOf } from '../../http-out/connection-fault.ts'
import { BlockedTarget } from '../../http-out/guarded-connector.ts'
import type { HttpOut, OutAnswer } from '../../http-out/http-out.ts'
import { type Pulse, Silence, type Wait } from '../../pulse.ts'
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
  /** Of the provider, for whoever shares it. Without one, silence is found by `silenceMs` alone. */
  readonly pulse?: Pulse | undefined
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

/** Found by the pulse, so trying again is no use. */
export const isGivenUp = ({ cause }: StorageError): boolean => cause instanceof Silence

export const silentProvider = (silence: Silence): StorageError =>
  new StorageError('unreachable', 'the provider does not answer', { cause: silence })

/** Something that waits for the provider, and is cut where the pulse finds nobody there. */
export const waitingFor = async <T>(
  pulse: Pulse | undefined,
  work: (wait: Pick<Wait, 'moved' | 'answered'>, signal: AbortSignal | undefined) => Promise<T>,
  options: { readonly goesOn?: boolean } = {},
): Promise<T> => {
  if (!pulse) return work({ moved: () => undefined, answered: () => undefined }, undefined)
  return pulse.during((wait) => {
    const cut = new AbortController()
    const { promise, reject } = Promise.withResolvers<never>()
    wait.onBreak((failure) => {
      // First, so that callers hear why: what is cut fails in words of its own.
      reject(failure)
      cut.abort(failure)
    })
    return Promise.race([promise, work(wait, cut.signal)])
  }, options)
}

/** Whether anything is answered, a refusal included. */
export const answersAnything = async (
  { http, silenceMs = usualSilenceMs }: RemoteOptions,
  { url, ...request }: Signed,
  signal: AbortSignal,
): Promise<boolean> => {
  const answer = await http.request(url.href, { ...request, signal, silenceMs, apart: true })
  await answer.body.dump().catch(() => undefined)
  return true
}

/** The text of an answer, up to 1.5 MiB; what is longer is no answer to any of our questions. */
export const textOf = async ({ body }: OutAnswer, moved?: () => void): Promise<string> => {
  const pieces: Buffer[] = []
  let length = 0
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      length += piece.length
      moved?.()
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
  options: RemoteOptions,
  sign: () => Signed,
  read: (answer: OutAnswer, moved: () => void) => Promise<T>,
): Promise<T> => {
  const { http, silenceMs = usualSilenceMs, retryMs = usualRetryMs, tries = usualTries, pulse } = options
  for (let attempt = 1; ; attempt++) {
    try {
      const found = await waitingFor(pulse, async ({ moved, answered }, signal) => {
        const { url, ...request } = sign()
        const answer = await http.request(url.href, { ...request, silenceMs, signal, onSent: moved })
        answered()
        if (!busy.has(answer.statusCode) || attempt === tries) return { read: await read(answer, moved) }
        await answer.body.dump()
        return undefined
      })
      if (found) return found.read
    } catch (error) {
      const failure = connectionError(error)
      const most = isSilence(failure) ? Math.min(silentTries, tries) : tries
      if (attempt >= most || failure.code !== 'unreachable' || isGivenUp(failure)) throw failure
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
