import { linkSignals, reasonOf } from './abort.ts'
import type { Reply } from './calls.ts'
import type { ErrorCode } from './endpoint-types.ts'
import { type ErrorDetail, IntegrityError } from './errors.ts'
import type { Outgoing } from './request.ts'
import type { Runtime } from './runtime.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface Wire {
  readonly fetch: Fetch
  readonly runtime: Runtime
  /** Told the `Date` of each answer of the service, with when it was asked for and came, epoch milliseconds. */
  readonly onDate?: ((date: string, askedAt: number, cameAt: number) => void) | undefined
}

/** Seconds or an HTTP date (RFC 9110, section 10.2.3), in milliseconds from now. */
const retryAfterMs = (headers: Headers, now: number): number | undefined => {
  const text = headers.get('retry-after')?.trim()
  if (!text) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

interface Envelope {
  readonly success?: boolean
  readonly data?: unknown
  readonly error?: {
    readonly code?: ErrorCode
    readonly message?: string
    readonly details?: readonly ErrorDetail[]
    readonly [extra: string]: unknown
  }
  readonly requestId?: string
}

const readEnvelope = (text: string): Envelope => {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    return {}
  }
}

const failureOf = (response: Response, { error, requestId }: Envelope, now: number): IntegrityError => {
  const { status, headers } = response
  const common = {
    status,
    retryAfterMs: retryAfterMs(headers, now),
    requestId: requestId ?? headers.get('x-request-id') ?? undefined,
  }
  if (typeof error?.code === 'string') {
    const { code, message = code, details, ...extra } = error
    return new IntegrityError({ ...common, code, message, details: Array.isArray(details) ? details : [], extra })
  }
  const seen = response.type === 'opaqueredirect' ? 'a redirect' : status
  const message = `answered ${seen} without the service's envelope: is the address right?`
  return new IntegrityError({ ...common, code: 'not_the_service', message })
}

/** The refusal that an answer stands for, from the text of its body. */
export const refusalOf = (response: Response, text: string, now: number): IntegrityError =>
  failureOf(response, readEnvelope(text), now)

/**
 * Sends once and reads the answer: its `data`, or a `Response` whose body is not read yet for endpoints that answer
 * bytes. Throws what the service refused, or that there was no answer; an aborted `signal` is thrown as its own reason.
 */
export const exchange = async (
  wire: Wire,
  request: Outgoing,
  signals: readonly (AbortSignal | undefined)[],
  timeoutMs: number | undefined,
): Promise<Reply<unknown>> => {
  const { runtime, onDate } = wire
  const linked = linkSignals(runtime, signals, timeoutMs)
  const askedAt = runtime.now()
  let keepLink = false
  try {
    const response = await wire.fetch(request.url, { ...request.init, signal: linked.signal })
    const { status, headers } = response
    if (request.kind === 'bytes' && response.ok) {
      keepLink = true
      return { data: response, status, headers }
    }
    if (status === 304) return { data: undefined, status, headers }
    const envelope = readEnvelope(await response.text())
    const date = headers.get('date')
    if (date && typeof envelope.success === 'boolean') onDate?.(date, askedAt, runtime.now())
    if (!response.ok || envelope.success !== true) throw failureOf(response, envelope, runtime.now())
    return { data: envelope.data, status, headers }
  } catch (cause) {
    if (cause instanceof IntegrityError) throw cause
    const aborted = signals.find((signal) => signal?.aborted)
    if (aborted) throw reasonOf(aborted)
    const code = linked.timedOut ? 'timeout' : 'no_answer'
    const message = `no answer from ${request.label}${linked.timedOut ? ` within ${timeoutMs} ms` : ''}`
    throw new IntegrityError({ code, message, cause })
  } finally {
    // A body that its caller reads on must still stop with the caller's signal.
    if (keepLink) linked.stopTimer()
    else linked.release()
  }
}
