import type { Runtime } from '../../client/src/index.ts'

/** How long an attempt may take and how long a stream may be silent: held back until a test lets them pass. */
const isGuard = (ms: number): boolean => (ms >= 30_000 && ms < 31_000) || ms === 45_000

export interface TestRuntime extends Runtime {
  /** Waits between attempts, in order. They pass at once. */
  readonly waits: number[]
  /** Ends the guard of that length that is waiting, as if nothing had come in time. */
  fire(ms: 30_000 | 45_000): void
  readonly guarding: number
}

/** Time that passes only as fast as the library waits. */
export const createTestRuntime = (random: () => number = () => 0.5): TestRuntime => {
  let now = Date.parse('2026-09-04T10:00:00.000Z')
  const waits: number[] = []
  const waiting = new Set<{ ms: number; end: () => void }>()
  return {
    waits,
    now: () => now,
    random,
    get guarding() {
      return waiting.size
    },
    fire: (ms) => {
      for (const guard of waiting) if (guard.ms === ms) guard.end()
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error)
        if (!isGuard(ms)) {
          waits.push(ms)
          now += ms
          // A turn later, so that a test can abort in between.
          setImmediate(() => (signal?.aborted ? reject(signal.reason as Error) : resolve()))
          return
        }
        const guard = { ms, end: () => leave(resolve) }
        const leave = (finish: () => void) => {
          waiting.delete(guard)
          signal?.removeEventListener('abort', stop)
          finish()
        }
        const stop = () => leave(() => reject(signal?.reason as Error))
        signal?.addEventListener('abort', stop, { once: true })
        waiting.add(guard)
      }),
  }
}

export const ok = (data: unknown, headers: Record<string, string> = {}): Response =>
  Response.json({ success: true, data }, { headers })

export const refused = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json({ success: false, error: { code, message: 'no' }, requestId: 'req_1' }, { status, headers })

export interface SentRequest {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: unknown
}

/** A fetch that gives the prepared answers one after the other, the last one forever, and remembers what was sent. */
export const scriptedFetch = (...answers: (Response | Error | (() => Response | Promise<Response>))[]) => {
  const sent: SentRequest[] = []
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const answer = answers[Math.min(sent.length, answers.length - 1)]
    sent.push({ url, method: init.method ?? 'GET', headers: new Headers(init.headers), body: init.body })
    init.signal?.throwIfAborted()
    if (answer instanceof Error) throw answer
    if (typeof answer === 'function') return answer()
    return (answer as Response).clone()
  }
  return { fetch, sent }
}
