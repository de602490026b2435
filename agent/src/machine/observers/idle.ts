import { wayOf } from '../../core/observers/observer-table.ts'
import { createSampledObserver, polled } from '../../core/observers/sampled-observer.ts'
import { type Observability, type Observer, type ObserverPlatform, thisPlatform } from '../../core/observers/types.ts'
import { type Environment, findProgram } from '../../shared/child-process.ts'
import { readXIdleTime } from '../x11/idle-time.ts'
import { askCommand } from './ask-command.ts'
import { helperFed } from './helper-fed.ts'
import { isDesktop, isWayland } from './linux-desktop.ts'
import type { ObserverOptions } from './observer-options.ts'

/** Without keyboard or pointer for this long, the candidate counts as idle. */
const leastIdleMs = 60_000

export type IdleOptions = ObserverOptions & { idleAfterMs?: number }

/** Milliseconds in `"HIDIdleTime" = 4217382541` (nanoseconds) of `ioreg`; undefined when it is not there. */
export const parseHidIdleTime = (text: string): number | undefined => {
  const found = /"HIDIdleTime" = (\d+)/.exec(text)?.[1]
  return found === undefined ? undefined : Math.floor(Number(found) / 1_000_000)
}

/** Milliseconds in the answer of GNOME's idle monitor, `(uint64 12345,)`. */
export const parseGnomeIdleTime = (text: string): number | undefined => {
  const found = /^\(uint64 (\d+),\)\s*$/.exec(text)?.[1]
  return found === undefined ? undefined : Number(found)
}

const gnomeCall = [
  ...['call', '--session', '--dest', 'org.gnome.Mutter.IdleMonitor'],
  ...['--object-path', '/org/gnome/Mutter/IdleMonitor/Core', '--method', 'org.gnome.Mutter.IdleMonitor.GetIdletime'],
]

const noAnswer = 'Idle time cannot be seen: the system does not tell it.'
const noDesktop = 'Idle time cannot be seen: there is no desktop to ask.'
const onWayland = 'On this Wayland desktop, idle time cannot be observed.'

type Ask = () => Promise<number | undefined>

/** What knows the idle time, or why nothing does. */
const askOf = (platform: ObserverPlatform, env: Environment): Ask | string => {
  if (platform === 'win32') return noAnswer
  if (platform === 'darwin') {
    return async () => parseHidIdleTime(await askCommand('/usr/sbin/ioreg', ['-c', 'IOHIDSystem', '-r', '-d', '1']))
  }
  if (isDesktop(env, 'GNOME') && findProgram('gdbus', env)) {
    return async () => parseGnomeIdleTime(await askCommand('gdbus', gnomeCall, { env }))
  }
  if (isWayland(env)) return onWayland
  return env['DISPLAY'] ? () => readXIdleTime(env) : noDesktop
}

/** Milliseconds without input, as the desktop application or the system tells. */
const readerOf =
  ({ shell }: ObserverOptions, ask: Ask | string) =>
  async (): Promise<number> => {
    if (shell) return shell.systemIdleSeconds() * 1000
    const idleMs = typeof ask === 'string' ? undefined : await ask()
    if (idleMs === undefined) throw new Error('the answer about idle time cannot be read')
    return idleMs
  }

/** No input for a minute, and its end. Never what was typed. */
export const createIdleObserver = (options: IdleOptions = {}): Observer => {
  const { env = process.env, clock, shell, helper, platform = thisPlatform(), idleAfterMs = leastIdleMs } = options
  const way = wayOf('idle', platform, shell !== undefined)
  const ask = askOf(platform, env)
  const read = readerOf(options, ask)
  const probe = async (): Promise<Observability> => {
    if (!shell && typeof ask === 'string') return { status: 'not_observable', why: ask }
    return read().then(
      () => ({ status: 'observable' }),
      () => ({ status: 'not_observable', why: noAnswer }),
    )
  }
  const asked = { probe, source: polled(read, options.intervalMs ?? way.intervalMs, clock) }
  return createSampledObserver({
    name: 'idle',
    version: 2,
    way,
    intervalMs: options.intervalMs,
    clock,
    ...(platform === 'win32' && !shell ? helperFed(helper, 'idle', noAnswer, ({ ms }) => ms) : asked),
    baseline: (idleMs) => ({ idleMs }),
    initial: (idleMs) => (idleMs >= idleAfterMs ? [{ kind: 'idle.started', value: { idleMs } }] : []),
    changes: (before, now) => {
      if (before < idleAfterMs && now >= idleAfterMs) return [{ kind: 'idle.started', value: { idleMs: now } }]
      if (before >= idleAfterMs && now < idleAfterMs) return [{ kind: 'idle.ended', value: { idleMs: before } }]
      return []
    },
  })
}
