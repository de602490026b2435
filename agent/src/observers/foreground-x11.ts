import { spawn } from 'node:child_process'
import { type Environment, findProgram, stopChild } from '../shared/child-process.ts'
import { type Clock, systemClock } from '../shared/clock.ts'
import { askCommand } from './ask-command.ts'
import { boundedLines } from './bounded-lines.ts'
import { isWayland } from './linux-desktop.ts'
import { wayOf } from './observer-table.ts'
import { createSampledObserver, type Source } from './sampled-observer.ts'
import type { Observability, Observer, ObserverOptions } from './types.ts'

const NOTHING_ACTIVE = '0x0'
const LONGEST_LINE = 10_000
/** Windows that change faster than this are asked for their class only when they stay; else a flood of them would cost a core. */
const PACE_MS = 100

/** The window id in `_NET_ACTIVE_WINDOW(WINDOW): window id # 0x400030`; undefined when the property is not set. */
export const parseActiveWindow = (line: string): string | undefined => /# (0x[0-9a-f]+)/.exec(line)?.[1]

/** The application's name: the second string of WM_CLASS. */
export const parseWindowClass = (text: string): string | undefined =>
  /WM_CLASS\(\w+\) = "(?:[^"\\]|\\.)*", "((?:[^"\\]|\\.)*)"/.exec(text)?.[1]?.slice(0, 300)

type Foreground = { application: string | null }

const applicationOf = async (window: string | undefined, env: Environment): Promise<string | null> => {
  if (window === undefined || window === NOTHING_ACTIVE) return null
  // A window may be gone before it is asked; then nothing is known of it.
  const text = await askCommand('xprop', ['-id', window, 'WM_CLASS'], { env }).catch(() => '')
  return parseWindowClass(text) ?? null
}

/** Asks for the newest window's application, one after the other and not too fast. */
const applicationTeller = (env: Environment, clock: Clock, see: (state: Foreground) => void, signal: AbortSignal) => {
  let newest: string | undefined
  let asking = false
  let before: string | null | undefined
  return async (line: string): Promise<void> => {
    newest = line
    if (asking) return
    asking = true
    while (newest !== undefined && !signal.aborted) {
      const window = parseActiveWindow(newest)
      newest = undefined
      const application = await applicationOf(window, env)
      if (application !== before && !signal.aborted) see({ application })
      before = application
      await clock.sleep(PACE_MS, signal)
    }
    asking = false
  }
}

const windowManagerTells =
  (env: Environment, clock: Clock): Source<Foreground> =>
  async (see, signal) => {
    const child = spawn('xprop', ['-spy', '-root', '_NET_ACTIVE_WINDOW'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
    const failed = new Promise<never>((_, reject) => {
      child.once('error', () => reject(new Error('xprop could not be started')))
    })
    failed.catch(() => undefined)
    const stop = (): void => void stopChild(child)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    const tell = applicationTeller(env, clock, see, signal)
    try {
      for await (const line of boundedLines(child.stdout, LONGEST_LINE)) void tell(line)
      if (child.pid === undefined) await failed
      if (!signal.aborted) throw new Error('xprop ended')
    } finally {
      signal.removeEventListener('abort', stop)
      await stopChild(child)
    }
  }

/** The name of the application in front, on X11, told by the window manager as it changes. */
export const createX11ForegroundObserver = ({
  env = process.env,
  clock = systemClock,
}: ObserverOptions = {}): Observer => {
  const absent = (why: string): Observability => ({ status: 'not_observable', why })
  const probe = async (): Promise<Observability> => {
    if (isWayland(env)) return absent('On Wayland, which program is in front cannot be observed.')
    if (!env['DISPLAY']) return absent('Which program is in front cannot be seen: there is no desktop to ask.')
    if (!findProgram('xprop', env)) {
      return absent('Which program is in front cannot be seen: the program xprop is not installed.')
    }
    const supported = await askCommand('xprop', ['-root', '_NET_SUPPORTED'], { env }).catch(() => '')
    if (supported.includes('_NET_ACTIVE_WINDOW')) return { status: 'observable' }
    return absent('Which program is in front cannot be seen: this window manager does not say it.')
  }
  return createSampledObserver({
    name: 'foreground',
    version: 2,
    way: wayOf('foreground', 'linux'),
    clock,
    probe,
    source: windowManagerTells(env, clock),
    initial: (value) => [{ kind: 'foreground.changed', value }],
    changes: (_before, value) => [{ kind: 'foreground.changed', value }],
  })
}
