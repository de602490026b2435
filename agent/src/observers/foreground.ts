import { createX11ForegroundObserver } from './foreground-x11.ts'
import { helperFed } from './helper-fed.ts'
import { wayOf } from './observer-table.ts'
import { createSampledObserver } from './sampled-observer.ts'
import { type Observer, type ObserverOptions, thisPlatform } from './types.ts'

const NOT_TOLD = 'Which program is in front cannot be seen: the system does not let the agent ask.'

/** The name of the application in front, and on macOS its bundle id. Never a window's title. */
export const createForegroundObserver = (options: ObserverOptions = {}): Observer => {
  const { platform = thisPlatform(), helper, clock } = options
  if (platform === 'linux') return createX11ForegroundObserver(options)
  return createSampledObserver({
    name: 'foreground',
    version: 2,
    way: wayOf('foreground', platform),
    clock,
    ...helperFed(helper, 'foreground', NOT_TOLD, (state) => state),
    initial: (value) => [{ kind: 'foreground.changed', value }],
    changes: (_before, value) => [{ kind: 'foreground.changed', value }],
  })
}
