import { wayOf } from '../../core/observers/observer-table.ts'
import { aborted, createSampledObserver, type Source } from '../../core/observers/sampled-observer.ts'
import type { Observability, Observer } from '../../core/observers/types.ts'
import type { Environment } from '../../shared/child-process.ts'
import { type Clock, systemClock } from '../../shared/clock.ts'
import { FrontWindow, FrontWindowUntold } from '../x11/front-window.ts'
import { isWayland } from './linux-desktop.ts'
import { isHelping } from './listening-programs.ts'
import type { ObserverOptions } from './observer-options.ts'

/** Windows that change faster than this are asked for their class only when they stay; else a flood of them would cost a core. */
const paceMs = 100
/** How often a window that stays in front is asked for its title again, where titles are wanted. */
const titleMs = 5000
/** More of a name or a title is not kept. Characters, and the bytes that a title may take. */
const longestApplication = 300
const longestTitle = 200
const titleBytes = 4 * longestTitle

/** Whole characters only. */
export const cutTitle = (title: string): string => Array.from(title).slice(0, longestTitle).join('')

interface Foreground {
  application: string | null
  title?: string | null
}

const unnamed = (titles: boolean): Foreground => (titles ? { application: null, title: null } : { application: null })

const readForeground = async (front: FrontWindow, titles: boolean): Promise<Foreground> => {
  const window = await front.current()
  if (window === undefined) return unnamed(titles)
  const application = (await front.applicationOf(window))?.slice(0, longestApplication) ?? null
  // What helps a person is not named, nor what it shows.
  if (application !== null && isHelping(application)) return unnamed(titles)
  if (!titles) return { application }
  const title = await front.titleOf(window, titleBytes)
  return { application, title: title === undefined ? null : cutTitle(title) }
}

interface Telling {
  env: Environment
  clock: Clock
  titles: boolean
}

/** Asks what is in front, one question after the other and not too fast, and once more when it changed meanwhile. */
const foregroundTeller = (
  { clock, titles }: Telling,
  front: FrontWindow,
  { see, signal }: { see: (state: Foreground) => void; signal: AbortSignal },
) => {
  let stale = false
  let asking = false
  let before = ''
  return async (): Promise<void> => {
    stale = true
    if (asking) return
    asking = true
    while (stale && !signal.aborted) {
      stale = false
      const state = await readForeground(front, titles)
      const now = JSON.stringify(state)
      if (now !== before && !signal.aborted) see(state)
      before = now
      await clock.sleep(paceMs, signal)
    }
    asking = false
  }
}

const windowManagerTells =
  (telling: Telling): Source<Foreground> =>
  async (see, outer) => {
    const { env, clock, titles } = telling
    const front = await FrontWindow.open(env)
    const over = new AbortController()
    const signal = AbortSignal.any([outer, over.signal])
    const failed = Promise.withResolvers<never>()
    const tell = foregroundTeller(telling, front, { see, signal })
    const tellOrFail = (): void => void tell().catch(failed.reject)
    const tellTitles = async (): Promise<void> => {
      for (await clock.sleep(titleMs, signal); !signal.aborted; await clock.sleep(titleMs, signal)) tellOrFail()
    }
    try {
      front.onChange = tellOrFail
      tellOrFail()
      if (titles) void tellTitles()
      await Promise.race([front.ended, failed.promise, aborted(outer)])
    } finally {
      over.abort()
      front.close()
    }
  }

/** The name of the application in front, on X11, told by the window manager as it changes; its title where asked for. */
export const createX11ForegroundObserver = ({
  env = process.env,
  clock = systemClock,
  windowTitles: titles = false,
}: ObserverOptions = {}): Observer => {
  const way = wayOf('foreground', 'linux')
  const absent = (why: string): Observability => ({ status: 'not_observable', why })
  const probe = async (): Promise<Observability> => {
    if (isWayland(env)) return absent('On Wayland, which program is in front cannot be observed.')
    if (!env['DISPLAY']) return absent('Which program is in front cannot be seen: there is no desktop to ask.')
    try {
      const front = await FrontWindow.open(env)
      front.close()
      return { status: 'observable' }
    } catch (error) {
      if (!(error instanceof FrontWindowUntold)) {
        return absent('Which program is in front cannot be seen: the X server does not answer.')
      }
      return absent('Which program is in front cannot be seen: this window manager does not say it.')
    }
  }
  return createSampledObserver({
    name: 'foreground',
    version: 3,
    way: titles ? { ...way, method: `${way.method}, _NET_WM_NAME every ${titleMs / 1000} s` } : way,
    clock,
    probe,
    source: windowManagerTells({ env, clock, titles }),
    initial: (value) => [{ kind: 'foreground.changed', value }],
    changes: (_before, value) => [{ kind: 'foreground.changed', value }],
  })
}
