import { lineOf, ServiceError } from '@integrity/protocol'
import type { HttpOut } from '../http-out/http-out.ts'

const silenceMs = 10_000
/** For the whole of a call: an answer that trickles is never silent. */
const usualWholeMs = 20_000
const maxAnswerBytes = 2 * 1024 * 1024

/** Why a call came to nothing: the provider refuses it for good, refuses us, or nobody knows whether it came through. */
type Failure = 'refused' | 'denied' | 'unknown'

const failureOf = (status: number | undefined): Failure => {
  if (status === 401 || status === 403) return 'denied'
  // 409: the same request is still being worked on.
  const isFinal = status !== undefined && status >= 400 && status < 500 && status !== 409 && status !== 429
  return isFinal ? 'refused' : 'unknown'
}

const wordsOf = (provider: string, failure: Failure, said: string): string =>
  failure === 'refused'
    ? `${provider} refuses this: ${said}`
    : failure === 'denied'
      ? `${provider} does not take the credentials that are configured here; nothing was changed`
      : `${provider} cannot be asked at the moment; ask again: what has come through is not done twice`
const reasons = { refused: 'provider_refused', denied: 'provider_denied', unknown: 'provider_down' } as const

/** A provider that refuses, or cannot be asked. Its words are for the log, a status and a reason for whoever called. */
export class PaymentFailed extends ServiceError {
  readonly providerStatus: number | undefined
  /** What the provider said, for the log. */
  readonly said: string
  /** Whether nothing was done, for certain. */
  readonly isFinal: boolean
  constructor(provider: string, status: number | undefined, said: string) {
    const failure = failureOf(status)
    super(failure === 'refused' ? 'conflict' : 'service_unavailable', wordsOf(provider, failure, said), {
      extra: { reason: reasons[failure] },
      ...(failure === 'unknown' && { headers: { 'Retry-After': '30' } }),
    })
    this.providerStatus = status
    this.said = said
    this.isFinal = failure !== 'unknown'
  }
}

/** What is not set up at the provider, or named here, as the operator has to do it. */
export class PaymentNotSetUp extends ServiceError {
  constructor(lack: string) {
    super('service_unavailable', `payments are not set up completely: ${lack}`, { extra: { reason: 'not_configured' } })
  }
}

export interface PaymentRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** How long all of it may take. Milliseconds. */
  readonly wholeMs?: number
}

const readText = async (body: AsyncIterable<Buffer>): Promise<string> => {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of body) {
    length += piece.length
    if (length > maxAnswerBytes) throw new Error('the answer is too long')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

const errorIn = (answer: unknown): string => {
  const { error } = (answer ?? {}) as { error?: { message?: unknown; description?: unknown } }
  const said = error?.message ?? error?.description
  return typeof said === 'string' ? lineOf(said, 300) : 'it did not say why'
}

/** Sends one call to a provider and reads its JSON. Rejects with `PaymentFailed`. */
export const callProvider = async (
  http: Pick<HttpOut, 'request'>,
  provider: string,
  { method, url, headers, body, wholeMs = usualWholeMs }: PaymentRequest,
): Promise<unknown> => {
  let statusCode: number
  let text: string
  try {
    const signal = AbortSignal.timeout(wholeMs)
    const sent = { method, headers, silenceMs, signal, ...(body !== undefined && { body: Buffer.from(body, 'utf8') }) }
    const answer = await http.request(url, sent)
    statusCode = answer.statusCode
    text = await readText(answer.body)
  } catch (error) {
    throw new PaymentFailed(provider, undefined, (error as Error).message)
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new PaymentFailed(provider, statusCode < 400 ? undefined : statusCode, 'its answer is no JSON')
  }
  if (statusCode >= 300) throw new PaymentFailed(provider, statusCode, errorIn(parsed))
  return parsed
}
