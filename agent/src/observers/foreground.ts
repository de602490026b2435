import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { commandText, findProgram, stopChild } from '../shared/child-process.ts'
import type { Observability, Observer, ObserverOptions } from './types.ts'

const NOTHING_ACTIVE = '0x0'

/** The window id in `_NET_ACTIVE_WINDOW(WINDOW): window id # 0x400030`; undefined when the property is not set. */
export const parseActiveWindow = (line: string): string | undefined => /# (0x[0-9a-f]+)/.exec(line)?.[1]

/** The application's name: the second string of WM_CLASS. */
export const parseWindowClass = (text: string): string | undefined =>
  /WM_CLASS\(\w+\) = "(?:[^"\\]|\\.)*", "((?:[^"\\]|\\.)*)"/.exec(text)?.[1]

/** The name of the application in front, on X11, told by the window manager as it changes. Never a window's title. */
export const createForegroundObserver = ({ env = process.env }: ObserverOptions = {}): Observer => {
  const applicationOf = async (window: string | undefined): Promise<string | null> => {
    if (window === undefined || window === NOTHING_ACTIVE) return null
    const text = await commandText('xprop', ['-id', window, 'WM_CLASS'], { env, timeoutMs: 5000 })
    return (text && parseWindowClass(text)) ?? null
  }
  const probe = async (): Promise<Observability> => {
    if (!env['DISPLAY']) return { status: 'not_observable', why: 'there is no X11 desktop to ask (Wayland shows none)' }
    if (!findProgram('xprop', env)) return { status: 'not_observable', why: 'xprop is not installed' }
    const manager = await commandText('xprop', ['-root', '_NET_SUPPORTED'], { env, timeoutMs: 5000 })
    if (manager?.includes('_NET_ACTIVE_WINDOW')) return { status: 'observable' }
    return { status: 'not_observable', why: 'the window manager does not say which window is in front' }
  }
  return {
    name: 'foreground',
    version: 1,
    method: 'xprop -spy -root _NET_ACTIVE_WINDOW; WM_CLASS',
    intervalMs: 0,
    probe,
    start: async (emit, signal) => {
      const child = spawn('xprop', ['-spy', '-root', '_NET_ACTIVE_WINDOW'], {
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      const failed = new Promise<never>((_, reject) => {
        child.once('error', reject)
      })
      failed.catch(() => undefined)
      const stop = (): void => void stopChild(child)
      signal.addEventListener('abort', stop, { once: true })
      if (signal.aborted) stop()
      let baseline: string | null | undefined
      let before: string | null | undefined
      try {
        for await (const line of createInterface({ input: child.stdout })) {
          const application = await applicationOf(parseActiveWindow(line))
          if (application === before) continue
          if (before === undefined) baseline = application
          const sinceBeforeSession = before === undefined ? true : undefined
          before = application
          emit({
            kind: 'foreground.changed',
            value: { application },
            baseline: { application: baseline },
            sinceBeforeSession,
          })
        }
        if (child.pid === undefined) await failed
        if (!signal.aborted) throw new Error('xprop ended')
      } finally {
        signal.removeEventListener('abort', stop)
        await stopChild(child)
      }
    },
  }
}
