import type { Runtime } from './runtime.ts'

/** Several reasons to stop, as one signal. `AbortSignal.any` would need Node 20.3 and holds on to its sources. */
export interface Linked {
  readonly signal: AbortSignal
  /** True when the time was up before anything else stopped it. */
  readonly timedOut: boolean
  abort(reason: unknown): void
  /** No time limit any more; the sources can still stop it. */
  stopTimer(): void
  /** Lets go of everything. The signal stays as it is. */
  release(): void
}

export const linkSignals = (
  runtime: Runtime,
  sources: readonly (AbortSignal | undefined)[],
  timeoutMs?: number,
): Linked => {
  const controller = new AbortController()
  const timer = new AbortController()
  let timedOut = false
  const releases: (() => void)[] = []
  for (const source of sources) {
    if (!source) continue
    const pass = () => controller.abort(source.reason)
    if (source.aborted) pass()
    source.addEventListener('abort', pass, { once: true })
    releases.push(() => source.removeEventListener('abort', pass))
  }
  if (timeoutMs !== undefined)
    runtime.sleep(timeoutMs, timer.signal).then(
      () => {
        timedOut = !controller.signal.aborted
        controller.abort(new DOMException(`no answer within ${timeoutMs} ms`, 'TimeoutError'))
      },
      () => undefined,
    )
  const stopTimer = () => timer.abort()
  return {
    signal: controller.signal,
    get timedOut() {
      return timedOut
    },
    abort: (reason) => controller.abort(reason),
    stopTimer,
    release() {
      stopTimer()
      for (const release of releases) release()
    },
  }
}

/** The promise, or the signal's reason as soon as it is aborted; what was waited for then goes on by itself. */
export const unlessAborted = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) {
      promise.catch(() => undefined)
      return reject(signal.reason)
    }
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
