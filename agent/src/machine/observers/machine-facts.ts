import type { ObserverName } from '@integrity/protocol'
import { createAbsentObserver } from '../../core/observers/not-observable.ts'
import { findWay } from '../../core/observers/observer-table.ts'
import {
  createSampledObserver,
  polled,
  probeByReading,
  type SampledObserverOptions,
  type Source,
} from '../../core/observers/sampled-observer.ts'
import { type Observer, thisPlatform } from '../../core/observers/types.ts'
import { followDefaultSink, readDefaultSink } from '../pulse/default-sink.ts'
import type { InputDevices, RemoteHint } from './machine-fact-readers.ts'
import { type DisplayIdentity, readDisplayIdentities, readInputDevices, remoteHints } from './machine-fact-readers.ts'
import type { ObserverOptions } from './observer-options.ts'
import { createLinuxProcessList, type ProcessList } from './process-lists.ts'

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

type Facts<State> = Pick<SampledObserverOptions<State>, 'initial' | 'changes'> & {
  name: ObserverName
  read: () => Promise<State>
  source?: Source<State>
  sentence: string
}

/** An observer of one fact, where this system has a way to it. */
const observerOfFact = <State>(options: ObserverOptions, facts: Facts<State>): Observer => {
  const { name, read, source, sentence, initial, changes } = facts
  const { clock, platform = thisPlatform() } = options
  const way = findWay(name, platform, false)
  if ('why' in way) return createAbsentObserver(name, 'none', way.why)
  return createSampledObserver<State>({
    name,
    version: 1,
    way,
    intervalMs: options.intervalMs,
    clock,
    initial,
    changes,
    probe: probeByReading(read, sentence),
    source: source ?? polled(read, options.intervalMs ?? way.intervalMs, clock),
  })
}

/** By which device sound is played, by its name. */
export const createOutputDevicesObserver = (options: ObserverOptions = {}): Observer => {
  const { env = process.env } = options
  return observerOfFact<string | null>(options, {
    name: 'output_devices',
    read: () => readDefaultSink(env),
    source: followDefaultSink(env),
    sentence: 'The device that plays sound cannot be seen: no sound server answers.',
    initial: (name) => (name === null ? [] : [{ kind: 'output.changed', value: { name } }]),
    changes: (before, name) => (before === name ? [] : [{ kind: 'output.changed', value: { name } }]),
  })
}

export type FactOptions = ObserverOptions & {
  list?: ProcessList
}

/** How many keyboards and mice there are, and by what they are connected. */
export const createHidObserver = (options: FactOptions = {}): Observer =>
  observerOfFact<InputDevices>(options, {
    name: 'hid',
    read: async () => readInputDevices(options.root),
    sentence: 'How many keyboards and mice there are cannot be seen: the system does not list them.',
    initial: (value) => [{ kind: 'hid.changed', value }],
    changes: (before, value) => (same(before, value) ? [] : [{ kind: 'hid.changed', value }]),
  })

/** By which socket displays are connected, and who made them. */
export const createDisplayIdentityObserver = (options: FactOptions = {}): Observer =>
  observerOfFact<DisplayIdentity[]>(options, {
    name: 'display_identity',
    read: async () => readDisplayIdentities(options.root),
    sentence: 'Socket and maker of displays cannot be seen: the system does not list them.',
    initial: (value) => (value.length === 0 ? [] : [{ kind: 'display.identified', value }]),
    changes: (before, value) => (same(before, value) ? [] : [{ kind: 'display.identified', value }]),
  })

/** Whether this desktop is shown on another computer: what says so, and nothing is concluded. */
export const createRemoteSessionObserver = (options: FactOptions = {}): Observer => {
  const { env = process.env, root = '' } = options
  const { list = createLinuxProcessList(`${root}/proc`) } = options
  const notIn = (known: readonly RemoteHint[]) => (hint: RemoteHint) => !known.some((one) => same(one, hint))
  return observerOfFact<RemoteHint[]>(options, {
    name: 'remote_session',
    read: async () => remoteHints(env, await list()),
    sentence: 'Whether the desktop is shown on another computer cannot be seen: the system lists no programs.',
    initial: (hints) => hints.map((value) => ({ kind: 'remote_session.started', value })),
    changes: (before, now) => [
      ...now.filter(notIn(before)).map((value) => ({ kind: 'remote_session.started' as const, value })),
      ...before.filter(notIn(now)).map((value) => ({ kind: 'remote_session.ended' as const, value })),
    ],
  })
}
