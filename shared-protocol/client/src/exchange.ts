import { linkSignals } from './abort.ts'
import type { ErrorCode } from './endpoint-types.ts'
import { type ErrorDetail, IntegrityApiError, IntegrityConnectionError } from './errors.ts'
import type { Outgoing } from './request.ts'
import type { Runtime } from './runtime.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface Wire {
  readonly fetch: Fetch
  readonly runtime: Runtime
}

/** One attempt's answer. `data` is a `Response` whose body is not read yet for endpoints that answer bytes. */
export interface Received {
  readonly data: unknown
  readonly status: number
  readonly headers: Headers
}

/** Seconds or an HTTP date (RFC 9110, section 10.2.3), in milliseconds from now. */
export const retryAfterMs = (headers: Headers, now: number): number | undefined => {
  const text = headers.get('retry-after')?.trim()
  if (!text) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

interface Envelope {
  readonly success?: boolean
  readonly data?: unknown
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly details?: readonly ErrorDetail[] }
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

/** The refusal that an answer stands for, from the text of its body. */
export const refusalOf = (response: Response, text: string, now: number): IntegrityApiError => {
  const { error, requestId } = readEnvelope(text)
  const { status, headers } = response
  const common = {
    status,
    retryAfterMs: retryAfterMs(headers, now),
    requestId: requestId ?? headers.get('x-request-id') ?? undefined,
  }
  if (typeof error?.code === 'string')
    return new IntegrityApiError({
      ...common,
      code: error.code,
      message: error.message,
      details: error.details ?? [],
      body: error,
    })
  const seen = response.type === 'opaqueredirect' ? 'a redirect' : String(status)
  const message = `answered ${seen} without the service's envelope: is the address right?`
  return new IntegrityApiError({ ...common, code: 'not_the_service', message })
}

/**
 * Sends once and reads the answer. Throws what the service refused, or that there was no answer; an aborted `signal`
 * is thrown as its own reason.
 */
export const exchange = async (
  wire: Wire,
  request: Outgoing,
  signals: readonly (AbortSignal | undefined)[],
  timeoutMs: number,
): Promise<Received> => {
  const linked = linkSignals(wire.runtime, signals, timeoutMs)
  let keepLink = false
  try {
    const response = await wire.fetch(request.url, { ...request.init, signal: linked.signal })
    const { status, headers } = response
    if (request.kind === 'bytes' && response.ok) {
      keepLink = true
      return { data: response, status, headers }
    }
    if (status === 304) return { data: undefined, status, headers }
    const text = await response.text()
    const envelope = readEnvelope(text)
    if (!response.ok || envelope.success !== true) throw refusalOf(response, text, wire.runtime.now())
    return { data: envelope.data, status, headers }
  } catch (cause) {
    if (cause instanceof IntegrityApiError) throw cause
    const aborted = signals.find((signal) => signal?.aborted)
    if (aborted) throw aborted.reason
    if (linked.timedOut)
      throw new IntegrityConnectionError('timeout', `no answer from ${request.label} within ${timeoutMs} ms`, cause)
    throw new IntegrityConnectionError('no_answer', `no answer from ${request.label}`, cause)
  } finally {
    // A body that its caller reads on must still stop with the caller's signal.
    if (keepLink) linked.stopTimer()
    else linked.release()
  }
}
