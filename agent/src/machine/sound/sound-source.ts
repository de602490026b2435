import type { GapReason } from '@integrity/protocol'
import { type CaptureConfig, DriverError, type SoundLane } from '../../core/capture/types.ts'
import type { Environment } from '../../shared/child-process.ts'
import { listSources, type PulseSource, readDefaults, sourceOfProcess } from '../pulse/sources.ts'

/**
 * `same`: the recorder hears the source it was opened on. `moved`: the sound server has put it on another one, or
 * took it off. `starting`: it is not connected yet. `unknown`: the server does not answer.
 */
export type SourceState = 'same' | 'moved' | 'starting' | 'unknown'

export interface Failure {
  reason: GapReason
  detail: string
}

const wantedName = async (lane: SoundLane, config: CaptureConfig): Promise<string | undefined> => {
  if (lane === 'microphone') return config.microphone.source ?? (await readDefaults(config.env))?.source
  if (config.systemAudio.source) return config.systemAudio.source
  const sink = (await readDefaults(config.env))?.sink
  return sink === undefined ? undefined : `${sink}.monitor`
}

/** The source that a lane records: the configured one, or the system's default. Never another in its place. */
export const resolveSource = async (lane: SoundLane, config: CaptureConfig): Promise<PulseSource | Failure> => {
  const sources = await listSources(config.env)
  if (!sources) return { reason: 'not_observable', detail: 'no sound server answers' }
  const name = await wantedName(lane, config)
  const source = sources.find((candidate) => candidate.name === name)
  if (!source) return { reason: 'unplugged', detail: `the sound source ${name ?? '(default)'} is not there` }
  const configured = lane === 'microphone' && config.microphone.source !== undefined
  if (lane === 'microphone' && !configured && source.monitorOf !== undefined) {
    return { reason: 'unplugged', detail: 'no microphone: the default source repeats what the speakers play' }
  }
  return source
}

/**
 * Watches that the process `pid` goes on hearing `source`. When a source vanishes PulseAudio moves its recorders to
 * the default source without a word, so that "system audio" would go on with the microphone.
 */
export class SourceGuard {
  readonly #source: PulseSource
  readonly #pid: number
  readonly #env: Environment | undefined
  #connected = false

  constructor(source: PulseSource, pid: number, env: Environment | undefined) {
    this.#source = source
    this.#pid = pid
    this.#env = env
  }

  async check(): Promise<SourceState> {
    const index = await sourceOfProcess(this.#pid, this.#env)
    if (index === undefined) return 'unknown'
    if (index === null) return this.#connected ? 'moved' : 'starting'
    this.#connected = true
    return index === this.#source.index ? 'same' : 'moved'
  }
}

/** The error for a recorder of `source` that ended or hears something else: the source went away, or the recorder failed. */
export const lossOf = async (
  source: PulseSource,
  env: Environment | undefined,
  ending = 'the recorder was taken off its source',
): Promise<DriverError> => {
  const sources = await listSources(env)
  if (sources?.some(({ index }) => index === source.index)) return new DriverError('driver_failed', ending)
  return new DriverError('unplugged', `the sound source ${source.name} went away`)
}
