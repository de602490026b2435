import { commandText, findProgram } from '../shared/child-process.ts'
import { createPollingObserver } from './polling-observer.ts'
import type { Observer, ObserverOptions } from './types.ts'

/** Without keyboard or pointer for this long, the candidate counts as idle. */
const IDLE_AFTER_MS = 60_000

export type IdleOptions = ObserverOptions & { idleAfterMs?: number }

/** No input for a minute, and its end; by `xprintidle` (the X screen-saver extension). Never what was typed. */
export const createIdleObserver = (options: IdleOptions = {}): Observer => {
  const { env = process.env, intervalMs = 5000, idleAfterMs = IDLE_AFTER_MS } = options
  const read = async (): Promise<number> => {
    const text = await commandText('xprintidle', [], { env, timeoutMs: 5000 })
    const idleMs = Number.parseInt(text ?? '', 10)
    if (!Number.isFinite(idleMs)) throw new Error('xprintidle gives no time')
    return idleMs
  }
  return createPollingObserver({
    name: 'idle',
    version: 1,
    method: 'xprintidle',
    intervalMs,
    probe: async () => {
      if (!env['DISPLAY']) return { status: 'not_observable', why: 'there is no X11 desktop to ask' }
      if (!findProgram('xprintidle', env)) return { status: 'not_observable', why: 'xprintidle is not installed' }
      return { status: 'observable' }
    },
    read,
    initial: (idleMs) => (idleMs >= idleAfterMs ? [{ kind: 'idle.started', value: { idleMs } }] : []),
    changes: (before, now) => {
      if (before < idleAfterMs && now >= idleAfterMs) return [{ kind: 'idle.started', value: { idleMs: now } }]
      if (before >= idleAfterMs && now < idleAfterMs) return [{ kind: 'idle.ended', value: { idleMs: before } }]
      return []
    },
  })
}
