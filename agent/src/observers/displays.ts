import { Monitor } from 'node-screenshots'
import { type Display, listXDisplays } from '../capture/displays.ts'
import { createPollingObserver, keyedDifference } from './polling-observer.ts'
import type { Observer, ObserverOptions } from './types.ts'

const nativeDisplays = (): Display[] =>
  Monitor.all().map((monitor) => ({
    id: monitor.name(),
    x: monitor.x(),
    y: monitor.y(),
    width: monitor.width(),
    height: monitor.height(),
    primary: monitor.isPrimary(),
  }))

/** Displays that come, go, or change size or place; by xrandr on X11, else by the operating system's own list. */
export const createDisplaysObserver = ({ env = process.env, intervalMs = 5000 }: ObserverOptions = {}): Observer => {
  const read = async (): Promise<Map<string, Display>> => {
    const displays = (await listXDisplays(env)) ?? nativeDisplays()
    if (displays.length === 0) throw new Error('the system lists no display')
    return new Map(displays.map((display) => [display.id, display]))
  }
  return createPollingObserver({
    name: 'displays',
    version: 1,
    method: env['DISPLAY'] ? 'xrandr --listmonitors' : 'node-screenshots Monitor.all',
    intervalMs,
    probe: async () => {
      try {
        await read()
        return { status: 'observable' }
      } catch (error) {
        return { status: 'not_observable', why: `displays cannot be listed: ${String(error)}` }
      }
    },
    read,
    initial: (state) => [...state.values()].map((value) => ({ kind: 'display.added', value })),
    changes: (before, now, baseline) => {
      const { added, removed, changed } = keyedDifference(before, now)
      const atStart = [...baseline.values()]
      return [
        ...added.map((value) => ({ kind: 'display.added' as const, value, baseline: atStart })),
        ...removed.map((value) => ({ kind: 'display.removed' as const, value, baseline: atStart })),
        ...changed.map((change) => ({ kind: 'display.changed' as const, value: change.now, baseline: change.before })),
      ]
    },
  })
}
