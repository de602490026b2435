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

/** React Native has neither DOMException nor a reason on its signals. */
export const stopped = (name: string, message: string): Error => Object.assign(new Error(message), { name })

export const reasonOf = (signal: AbortSignal): unknown => signal.reason ?? stopped('AbortError', 'it was aborted')

export const linkSignals = (
  runtime: Runtime,
  sources: readonly (AbortSignal | undefined)[],
  timeoutMs?: number,
): Linked => {
  const [controller, timer, links] = [new AbortController(), new AbortController(), new AbortController()]
  const linked = {
    signal: controller.signal,
    timedOut: false,
    abort: (reason: unknown) => controller.abort(reason),
    stopTimer: () => timer.abort(),
    release() {
      timer.abort()
      links.abort()
    },
  }
  for (const source of sources) {
    const pass = () => source && controller.abort(reasonOf(source))
    if (source?.aborted) pass()
    source?.addEventListener('abort', pass, { signal: links.signal })
  }
  if (timeoutMs !== undefined)
    runtime.sleep(timeoutMs, timer.signal).then(
      () => {
        linked.timedOut = !controller.signal.aborted
        controller.abort(stopped('TimeoutError', `no answer within ${timeoutMs} ms`))
      },
      () => undefined,
    )
  return linked
}

/** The promise, or the signal's reason as soon as it is aborted; what was waited for then goes on by itself. */
export const unlessAborted = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) {
      promise.catch(() => undefined)
      return reject(reasonOf(signal))
    }
    const stop = () => reject(reasonOf(signal))
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
