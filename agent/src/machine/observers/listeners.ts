import type { ObservationValue } from '@integrity/protocol'
import { createAbsentObserver } from '../../core/observers/not-observable.ts'
import { findWay } from '../../core/observers/observer-table.ts'
import { createSampledObserver, keyedDifference, polled, type Source } from '../../core/observers/sampled-observer.ts'
import { type Observability, type Observer, thisPlatform } from '../../core/observers/types.ts'
import { systemClock } from '../../shared/clock.ts'
import { ourApplicationId, PulseConnection } from '../pulse/pulse-connection.ts'
import { followStreams } from '../pulse/source-changes.ts'
import { readStreams, type SourceOutput } from '../pulse/sources.ts'
import { CameraHolders } from './camera-holders.ts'
import { cameraName, isHelping, isOfCall, isOurs, programOf } from './listening-programs.ts'
import type { ObserverOptions } from './observer-options.ts'

type Listener = ObservationValue<'listener.started'>
interface Listening {
  listener: Listener
  since: number
}
type Listeners = Map<string, Listening>

const noSoundServer = 'Which programs record cannot be seen: no sound server answers.'

export type ListenersOptions = ObserverOptions & {
  /** Whose children record for us; this process unless told. */
  ownPid?: number
}

const clipped = (text: string): string => text.slice(0, 200)

/** A program as it is told of; undefined for what is left out. */
const listenerOf = (
  pid: number | undefined,
  { program: named, of, device }: Pick<Listener, 'of' | 'device'> & { program: string | undefined },
  { callIn, root, ownPid = process.pid }: ListenersOptions,
): Listener | undefined => {
  const file = pid === undefined ? undefined : programOf(pid, root)
  const program = named || file
  if (program === undefined || (pid !== undefined && isOurs(pid, ownPid))) return undefined
  if (isHelping(program, file) || isOfCall(file ?? program, callIn?.(), of)) return undefined
  return { program: clipped(program), process: file === undefined ? null : clipped(file), of, device }
}

const pidOf = (properties: SourceOutput['properties']): number | undefined => {
  // PipeWire says itself whose connection it is.
  const said = Number(properties.get('pipewire.sec.pid') ?? properties.get('application.process.id'))
  return Number.isInteger(said) && said > 0 ? said : undefined
}

/** The programs that the sound server gives sound to. Its own modules have no client and are none. */
const soundListeners = async (connection: PulseConnection, options: ListenersOptions): Promise<Listener[]> => {
  const { sources, outputs } = await readStreams(connection)
  return outputs.flatMap(({ source, properties, corked, peaksOnly }) => {
    const from = sources.find(({ index }) => index === source)
    const pid = pidOf(properties)
    const program = properties.get('application.name') || properties.get('application.process.binary')
    if (!from || corked || peaksOnly || (pid === undefined && !program)) return []
    if (properties.get('application.id') === ourApplicationId) return []
    const of = from.monitorOf === undefined ? ('microphone' as const) : ('speakers' as const)
    return listenerOf(pid, { program, of, device: clipped(from.description) }, options) ?? []
  })
}

const cameraListeners = async (holders: CameraHolders, options: ListenersOptions): Promise<Listener[]> =>
  (await holders.look()).flatMap(({ pid, device }) => {
    const told = { program: undefined, of: 'camera' as const, device: clipped(cameraName(device, options.root)) }
    return listenerOf(pid, told, options) ?? []
  })

const linuxSource =
  (options: ListenersOptions, intervalMs: number): Source<Listener[]> =>
  async (see, signal) => {
    const { env = process.env, clock } = options
    const failed = new AbortController()
    const either = AbortSignal.any([signal, failed.signal])
    const latest: { sound: Listener[] | undefined; camera: Listener[] } = { sound: undefined, camera: [] }
    const tell = (): void => {
      if (latest.sound) see([...latest.sound, ...latest.camera])
    }
    const holders = new CameraHolders(options.root)
    const looks = [
      polled(
        () => cameraListeners(holders, options),
        intervalMs,
        clock,
      )((camera) => {
        latest.camera = camera
        tell()
      }, either),
      followStreams(
        env,
        (connection) => soundListeners(connection, options),
        (sound) => {
          latest.sound = sound
          tell()
        },
        either,
      ),
    ]
    try {
      await Promise.all(looks)
    } finally {
      failed.abort()
      await Promise.allSettled(looks)
    }
  }

const probeOf =
  ({ env = process.env }: ListenersOptions) =>
  async (): Promise<Observability> => {
    try {
      ;(await PulseConnection.open(env)).close()
      return { status: 'observable' }
    } catch {
      return { status: 'not_observable', why: noSoundServer }
    }
  }

/** Programs that record microphone, speakers or camera: which, of what, how long. Never what they record. */
export const createListenersObserver = (options: ListenersOptions = {}): Observer => {
  const { clock = systemClock, platform = thisPlatform() } = options
  const way = findWay('listeners', platform, false)
  if ('why' in way) return createAbsentObserver('listeners', 'none', way.why)
  const since = new Map<string, number>()
  const keyed = (listeners: readonly Listener[]): Listeners => {
    const now = clock.monotonicMs()
    const all = new Map(listeners.map((listener) => [JSON.stringify(listener), listener]))
    for (const key of [...since.keys()]) if (!all.has(key)) since.delete(key)
    for (const key of all.keys()) if (!since.has(key)) since.set(key, now)
    return new Map([...all].map(([key, listener]) => [key, { listener, since: since.get(key) ?? now }]))
  }
  const source = linuxSource(options, options.intervalMs ?? way.intervalMs)
  return createSampledObserver<Listeners>({
    name: 'listeners',
    version: 1,
    way,
    intervalMs: options.intervalMs,
    clock,
    probe: probeOf(options),
    source: (see, signal) => source((listeners) => see(keyed(listeners)), signal),
    initial: (state) => [...state.values()].map(({ listener }) => ({ kind: 'listener.started', value: listener })),
    baseline: (state) => [...state.values()].map(({ listener }) => listener),
    changes: (before, now) => {
      const { added, removed } = keyedDifference(before, now)
      return [
        ...added.map(({ listener }) => ({ kind: 'listener.started' as const, value: listener })),
        ...removed.map(({ listener, since: from }) => ({
          kind: 'listener.ended' as const,
          value: { ...listener, durationMs: Math.round(clock.monotonicMs() - from) },
        })),
      ]
    },
  })
}
