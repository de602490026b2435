import { wayOf } from '../../core/observers/observer-table.ts'
import { createSampledObserver } from '../../core/observers/sampled-observer.ts'
import { type Observability, type Observer, thisPlatform } from '../../core/observers/types.ts'
import { clipboardOwnerChanges, probeClipboardOwner } from '../x11/clipboard-owner.ts'
import { helperFed } from './helper-fed.ts'
import { isWayland } from './linux-desktop.ts'
import type { ObserverOptions } from './observer-options.ts'

const notTold = 'That the clipboard is used cannot be seen: the system does not count it.'
const onWayland = 'On Wayland, that the clipboard is used cannot be observed.'

/** Use of the clipboard: how often it was filled, as the system counts it. Never its content, and not pasting. */
export const createClipboardObserver = (options: ObserverOptions = {}): Observer => {
  const { env = process.env, clock, helper, platform = thisPlatform() } = options
  const absent = (why: string): Observability => ({ status: 'not_observable', why })
  const probe = async (): Promise<Observability> => {
    if (isWayland(env)) return absent(onWayland)
    return probeClipboardOwner(env).then(
      () => ({ status: 'observable' }),
      () => absent(notTold),
    )
  }
  const x11 = { probe, source: clipboardOwnerChanges(env) }
  return createSampledObserver<number>({
    name: 'clipboard',
    version: 1,
    way: wayOf('clipboard', platform),
    clock,
    ...(platform === 'linux' ? x11 : helperFed(helper, 'clipboard', notTold, ({ count }) => count)),
    initial: () => [],
    baseline: () => undefined,
    // A count that went back began again; how often is then not known.
    changes: (before, now) =>
      now === before ? [] : [{ kind: 'clipboard.used', value: { times: now > before ? now - before : null } }],
  })
}
