import { createAbsentObserver } from '../../core/observers/not-observable.ts'
import { findWay } from '../../core/observers/observer-table.ts'
import { createSampledObserver, type Source } from '../../core/observers/sampled-observer.ts'
import { type Observability, type Observer, thisPlatform } from '../../core/observers/types.ts'
import { type InputCounts, inputCounts, probeInputCounts } from '../x11/input-counts.ts'
import { isWayland } from './linux-desktop.ts'
import type { ObserverOptions } from './observer-options.ts'

const notTold = 'Input that programs make cannot be told from that of a keyboard: the system does not tell them apart.'
const onWayland = 'On Wayland, input that programs make cannot be told from that of a keyboard.'
const lookMs = 5000

export type InputOriginOptions = ObserverOptions & {
  lookMs?: number
  /** Instead of asking the X server. */
  counts?: Source<InputCounts>
}

/** How many keys programs sent in a minute, and for how long a keyboard was used in it. Never which keys, never their rhythm. */
export const createInputOriginObserver = (options: InputOriginOptions = {}): Observer => {
  const { env = process.env, clock, platform = thisPlatform() } = options
  const way = findWay('input_origin', platform, false)
  if ('why' in way) return createAbsentObserver('input_origin', 'none', way.why)
  const absent = (why: string): Observability => ({ status: 'not_observable', why })
  return createSampledObserver<InputCounts>({
    name: 'input_origin',
    version: 1,
    way,
    intervalMs: options.intervalMs,
    clock,
    probe: async () => {
      if (isWayland(env)) return absent(onWayland)
      if (options.counts) return { status: 'observable' }
      return probeInputCounts(env).then(
        () => ({ status: 'observable' }),
        () => absent(notTold),
      )
    },
    source:
      options.counts ??
      inputCounts(env, {
        stretchMs: options.intervalMs ?? way.intervalMs,
        lookMs: options.lookMs ?? lookMs,
        clock,
      }),
    initial: () => [],
    baseline: () => undefined,
    changes: (_before, value) => (value.synthetic > 0 ? [{ kind: 'input.origin', value }] : []),
  })
}
