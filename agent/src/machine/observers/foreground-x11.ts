import { spawn } from 'node:child_process'
import { wayOf } from '../../core/observers/observer-table.ts'
import { createSampledObserver, type Source } from '../../core/observers/sampled-observer.ts'
import type { Observability, Observer } from '../../core/observers/types.ts'
import { type Environment, findProgram, stopChild } from '../../shared/child-process.ts'
import { type Clock, systemClock } from '../../shared/clock.ts'
import { boundedLines } from '../desktop-helper/bounded-lines.ts'
import { askCommand } from './ask-command.ts'
import { isWayland } from './linux-desktop.ts'
import type { ObserverOptions } from './observer-options.ts'

const NOTHING_ACTIVE = '0x0'
const LONGEST_LINE = 10_000
/** Windows that change faster than this are asked for their class only when they stay; else a flood of them would cost a core. */
const PACE_MS = 100

/** The window id in `_NET_ACTIVE_WINDOW(WINDOW): window id # 0x400030`; undefined when the property is not set. */
export const parseActiveWindow = (line: string): string | undefined => /# (0x[0-9a-f]+)/.exec(line)?.[1]

/** How often a window that stays in front is asked for its title again, where titles are wanted. */
const TITLE_MS = 5000
/** More of a title is not kept. Characters, and the bytes that they may take. */
const LONGEST_TITLE = 200
const TITLE_BYTES = 4 * LONGEST_TITLE

/**
 * A window's title as xprop gives it byte by byte (`-f … 8x`), which no locale changes: `_NET_WM_NAME` in UTF-8, else
 * the older `WM_NAME`. Null where there is none; at most 200 characters.
 */
export const parseWindowTitle = (text: string): string | null => {
  const bytesOf = (name: string): Buffer | undefined => {
    const line = new RegExp(`^${name}\\([A-Z0-9_]+\\) = (0x[0-9a-f]{1,2}(?:, 0x[0-9a-f]{1,2})*)`, 'm').exec(text)?.[1]
    return line === undefined ? undefined : Buffer.from(line.split(', ').map(Number))
  }
  const title = bytesOf('_NET_WM_NAME')?.toString('utf8') ?? bytesOf('WM_NAME')?.toString('latin1')
  return title === undefined ? null : cutTitle(title)
}

/** Whole characters only. */
export const cutTitle = (title: string): string => Array.from(title).slice(0, LONGEST_TITLE).join('')

/** The application's name: the second string of WM_CLASS. */
export const parseWindowClass = (text: string): string | undefined =>
  /WM_CLASS\(\w+\) = "(?:[^"\\]|\\.)*", "((?:[^"\\]|\\.)*)"/.exec(text)?.[1]?.slice(0, 300)

type Foreground = { application: string | null; title?: string | null }

const askTitle = ['-len', String(TITLE_BYTES), '-f', '_NET_WM_NAME', '8x', '-f', 'WM_NAME', '8x']

const readFront = async (window: string | undefined, env: Environment, titles: boolean): Promise<Foreground> => {
  const nothing = window === undefined || window === NOTHING_ACTIVE
  const asked = titles ? [...askTitle, 'WM_CLASS', '_NET_WM_NAME', 'WM_NAME'] : ['WM_CLASS']
  // A window may be gone before it is asked; then nothing is known of it.
  const text = nothing ? '' : await askCommand('xprop', ['-id', window, ...asked], { env }).catch(() => '')
  const application = parseWindowClass(text) ?? null
  return titles ? { application, title: parseWindowTitle(text) } : { application }
}

type Telling = { env: Environment; clock: Clock; titles: boolean }

/** Asks the newest window what it is, one after the other and not too fast. */
const applicationTeller = ({ env, clock, titles }: Telling, see: (state: Foreground) => void, signal: AbortSignal) => {
  let newest: string | undefined
  let asking = false
  let before = ''
  return async (line: string): Promise<void> => {
    newest = line
    if (asking) return
    asking = true
    while (newest !== undefined && !signal.aborted) {
      const window = parseActiveWindow(newest)
      newest = undefined
      const front = await readFront(window, env, titles)
      const now = JSON.stringify(front)
      if (now !== before && !signal.aborted) see(front)
      before = now
      await clock.sleep(PACE_MS, signal)
    }
    asking = false
  }
}

const windowManagerTells =
  (telling: Telling): Source<Foreground> =>
  async (see, signal) => {
    const { env, clock, titles } = telling
    const child = spawn('xprop', ['-spy', '-root', '_NET_ACTIVE_WINDOW'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
    const failed = new Promise<never>((_, reject) => {
      child.once('error', () => reject(new Error('xprop could not be started')))
    })
    failed.catch(() => undefined)
    const stop = (): void => void stopChild(child)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    const tell = applicationTeller(telling, see, signal)
    let front: string | undefined
    const ended = new AbortController()
    const askAgain = async (both: AbortSignal): Promise<void> => {
      while (!both.aborted) {
        await clock.sleep(TITLE_MS, both)
        if (!both.aborted && front !== undefined) await tell(front)
      }
    }
    if (titles) void askAgain(AbortSignal.any([signal, ended.signal]))
    try {
      for await (const line of boundedLines(child.stdout, LONGEST_LINE)) {
        front = line
        void tell(line)
      }
      if (child.pid === undefined) await failed
      if (!signal.aborted) throw new Error('xprop ended')
    } finally {
      ended.abort()
      signal.removeEventListener('abort', stop)
      await stopChild(child)
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
    way: titles ? { ...way, method: `${way.method}, _NET_WM_NAME every ${TITLE_MS / 1000} s` } : way,
    clock,
    probe,
    source: windowManagerTells({ env, clock, titles }),
    initial: (value) => [{ kind: 'foreground.changed', value }],
    changes: (_before, value) => [{ kind: 'foreground.changed', value }],
  })
}
