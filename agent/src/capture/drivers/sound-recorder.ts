import type { Readable } from 'node:stream'
import type { Clock } from '../../shared/clock.ts'
import { soundLevel } from '../pcm.ts'
import { watchSourceChanges } from '../source-changes.ts'
import { type CaptureConfig, DriverError, type DriverSink } from '../types.ts'
import { type Arrival, createChunkDelivery } from './chunk-delivery.ts'
import { resolveSource, type SoundLane, SourceGuard, type SourceState } from './sound-source.ts'

/** How often the identity of the source is confirmed. Sound newer than the last confirmation is held back. */
const CONFIRM_MS = 2000
/** The same while the sound server tells of changes, each of which is followed by a check of its own. */
const WATCHED_CONFIRM_MS = 7000
/** A burst of changes is answered by one check. */
const SETTLE_MS = 200
/** The first checks come sooner, so that the lane's light is on as soon as it records. */
const EARLY_CONFIRM_MS = 500
const EARLY_CHECKS = 4
/** A recorder without a first byte after this long never gives one. */
const FIRST_BYTE_MS = 8000

/** A running process that gives raw PCM (16 kHz mono, 16 bit). */
export type PcmProcess = {
  pid: number
  stdout: Readable
  /** Resolves with the reason when it ends, also when it could not start. */
  ended: Promise<string>
  stop(): Promise<void>
}

export type OpenPcm = (sourceName: string, config: CaptureConfig) => PcmProcess

/** Sound that arrived and is not yet known to come from the right source. */
class Quarantine {
  #arrivals: Arrival[] = []

  add(arrival: Arrival): void {
    this.#arrivals.push(arrival)
  }

  /** Gives what arrived up to `mono`, the moment a check that went well began. */
  release(mono: number): Arrival[] {
    const confirmed = this.#arrivals.filter((arrival) => arrival.mono <= mono)
    this.#arrivals = this.#arrivals.filter((arrival) => arrival.mono > mono)
    return confirmed
  }
}

/**
 * Records one source until `signal` aborts. Only sound that arrived before a check which found the recorder still on
 * its source is kept: when the source is swapped, the segment ends at the last such check and what came after is
 * dropped. Throws DriverError: `unplugged` when the source went away, else `driver_failed`.
 */
export const recordSound = async (
  lane: SoundLane,
  open: OpenPcm,
  sink: DriverSink,
  config: CaptureConfig,
  signal: AbortSignal,
  clock: Clock,
): Promise<void> => {
  const source = await resolveSource(lane, config)
  if ('reason' in source) throw new DriverError(source.reason, source.detail)
  const recording = open(source.name, config)
  const guard = new SourceGuard(source, recording.pid, config.env)
  const halt = new AbortController()
  const stopping = AbortSignal.any([signal, halt.signal])
  const delivery = createChunkDelivery(lane, source.description, sink, config, (error) => halt.abort(error))
  const quarantine = new Quarantine()
  const changes = watchSourceChanges(config.env)
  const openedMono = clock.monotonicMs()
  const { confirmMs } = lane === 'microphone' ? config.microphone : config.systemAudio
  let heard = false
  let ending: string | undefined

  recording.stdout.on('data', (bytes: Buffer) => {
    heard = true
    quarantine.add({ bytes, at: clock.wallMs(), mono: clock.monotonicMs() })
  })
  void recording.ended.then((why) => {
    ending = why
    halt.abort()
  })

  const confirm = async (): Promise<SourceState> => {
    const began = clock.monotonicMs()
    const state = await guard.check()
    if (state !== 'same') return state
    const confirmed = quarantine.release(began)
    for (const arrival of confirmed) delivery.confirm(arrival)
    const last = confirmed.at(-1)
    if (last) {
      // Silence is a measurement too; only the absence of bytes is not.
      const { levelDb } = soundLevel(Buffer.concat(confirmed.map(({ bytes }) => bytes)))
      sink.sample({ at: last.at, levelDb })
    }
    return state
  }

  try {
    for (let checks = 0; ; checks += 1) {
      const changed = changes.next()
      const usualMs = confirmMs ?? (changes.alive() ? WATCHED_CONFIRM_MS : CONFIRM_MS)
      await clock.sleep(checks < EARLY_CHECKS ? EARLY_CONFIRM_MS : usualMs, AbortSignal.any([stopping, changed]))
      if (changed.aborted) await clock.sleep(SETTLE_MS, stopping)
      const state = ending === undefined ? await confirm() : 'moved'
      if (state === 'moved') throw await guard.loss(ending)
      if (stopping.aborted) break
      if (!heard && clock.monotonicMs() - openedMono > FIRST_BYTE_MS) {
        throw new DriverError('driver_failed', 'the recorder gave no sound')
      }
    }
    if (!signal.aborted) throw ending === undefined ? halt.signal.reason : await guard.loss(ending)
  } finally {
    await Promise.all([recording.stop(), changes.stop()])
    await delivery.flush()
  }
}
