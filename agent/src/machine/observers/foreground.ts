import { wayOf } from '../../core/observers/observer-table.ts'
import { createSampledObserver } from '../../core/observers/sampled-observer.ts'
import { type Observer, thisPlatform } from '../../core/observers/types.ts'
import type { HelperState } from '../desktop-helper/helper-lines.ts'
import { createX11ForegroundObserver, cutTitle } from './foreground-x11.ts'
import { helperFed } from './helper-fed.ts'
import { isHelping } from './listening-programs.ts'
import type { ObserverOptions } from './observer-options.ts'

type Told = HelperState<'foreground'>

/** What helps a person is not named, nor what it shows. */
const withoutHelping = (told: Told): Told =>
  told.application !== null && isHelping(told.application) ? { application: null } : told

const notTold = 'Which program is in front cannot be seen: the system does not let the agent ask.'

/**
 * The name of the application in front, and on macOS its bundle id; the title of its window only with `windowTitles`.
 * The ways of macOS and Windows to a title are written from their makers' documentation and were not run there.
 */
export const createForegroundObserver = (options: ObserverOptions = {}): Observer => {
  const { platform = thisPlatform(), helper, clock, windowTitles = false } = options
  if (platform === 'linux') return createX11ForegroundObserver(options)
  const way = wayOf('foreground', platform)
  return createSampledObserver({
    name: 'foreground',
    version: 2,
    way: windowTitles ? { ...way, method: `${way.method}; its title` } : way,
    clock,
    ...helperFed(helper, 'foreground', notTold, (told) => {
      const { title, ...state } = withoutHelping(told)
      return windowTitles ? { ...state, title: title == null ? null : cutTitle(title) } : state
    }),
    initial: (value) => [{ kind: 'foreground.changed', value }],
    changes: (_before, value) => [{ kind: 'foreground.changed', value }],
  })
}
