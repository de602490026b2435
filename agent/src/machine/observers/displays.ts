import { Monitor } from 'node-screenshots'
import { wayOf } from '../../core/observers/observer-table.ts'
import {
  createSampledObserver,
  keyedDifference,
  polled,
  probeByReading,
} from '../../core/observers/sampled-observer.ts'
import { type Observer, thisPlatform } from '../../core/observers/types.ts'
import { type Display, listXDisplays } from '../screen/displays.ts'
import type { ObserverOptions } from './observer-options.ts'
import { shellSource } from './shell-source.ts'

const nativeDisplays = (): Display[] =>
  Monitor.all().map((monitor) => ({
    id: monitor.name(),
    x: monitor.x(),
    y: monitor.y(),
    width: monitor.width(),
    height: monitor.height(),
    primary: monitor.isPrimary(),
  }))

const displayEvents = ['display-added', 'display-removed', 'display-metrics-changed'] as const

/** Displays that come, go, or change size or place: as the desktop application, X11 or the system lists them. */
export const createDisplaysObserver = (options: ObserverOptions = {}): Observer => {
  const { env = process.env, clock, shell, platform = thisPlatform() } = options
  const way = wayOf('displays', platform, shell !== undefined)
  const list = async (): Promise<Display[]> =>
    shell ? shell.displays() : ((await listXDisplays(env)) ?? nativeDisplays())
  const read = async (): Promise<Map<string, Display>> => {
    const displays = await list()
    if (displays.length === 0) throw new Error('the system lists no display')
    return new Map(displays.map((display) => [display.id, display]))
  }
  return createSampledObserver<Map<string, Display>>({
    name: 'displays',
    version: 2,
    way,
    intervalMs: options.intervalMs,
    clock,
    probe: probeByReading(read, 'The displays cannot be listed: the system gives no list of them.'),
    source: shell ? shellSource(shell, displayEvents, read) : polled(read, options.intervalMs ?? way.intervalMs, clock),
    initial: (state) => [...state.values()].map((value) => ({ kind: 'display.added', value })),
    baseline: (state) => [...state.values()],
    changes: (before, now) => {
      const { added, removed, changed } = keyedDifference(before, now)
      return [
        ...added.map((value) => ({ kind: 'display.added' as const, value })),
        ...removed.map((value) => ({ kind: 'display.removed' as const, value })),
        ...changed.map((change) => ({ kind: 'display.changed' as const, value: change.now })),
      ]
    },
  })
}
