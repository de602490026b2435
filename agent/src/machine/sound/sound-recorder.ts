import { soundLevel } from '../../core/capture/pcm.ts'
import { type CaptureConfig, DriverError, type DriverSink, type SoundLane } from '../../core/capture/types.ts'
import type { Clock } from '../../shared/clock.ts'
import type { PulseSource } from '../pulse/sources.ts'
import { type Arrival, createChunkDelivery } from './chunk-delivery.ts'
import { lossOf, resolveSource, type SourceState } from './sound-source.ts'

/** A burst of changes is answered by one check. */
const settleMs = 200
/** The first checks come sooner, so that the lane's light is on as soon as it records. */
const earlyConfirmMs = 500
const earlyChecks = 4
/** A recorder without a first byte after this long never gives one. */
const firstByteMs = 8000

/** A running recorder that gives raw PCM (16 kHz mono, 16 bit). */
export interface PcmRecording {
  /** Says who is told of sound as it arrives; called once, at the beginning. */
  listen(take: (bytes: Buffer) => void): void
  /** Whether it hears the source it was opened on. */
  check(): Promise<SourceState>
  /** Whether that answer comes the way of the sound, after it: then it holds for all that came before the answer, else before the question. */
  readonly answersInOrder: boolean
  /** How long until the next check, unless `changed` aborts before. */
  checkMs(): number
  changed(): AbortSignal
  /** Resolves with the reason when it ends, also when it could not start. */
  ended: Promise<string>
  stop(): Promise<void>
}

export type OpenPcm = (source: PulseSource, config: CaptureConfig) => PcmRecording | Promise<PcmRecording>

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

/** An encoder that cannot be started leaves no recorder behind. */
const orStop = async <T>(recording: PcmRecording, make: () => T): Promise<T> => {
  try {
    return make()
  } catch (error) {
    await recording.stop()
    throw error
  }
}

interface Confirming {
  readonly recording: PcmRecording
  readonly quarantine: Quarantine
  readonly delivery: Pick<ReturnType<typeof createChunkDelivery>, 'confirm'>
  readonly sink: DriverSink
  readonly clock: Clock
}

/** Delivers what came before the recorder was found on its source still. */
const confirm = async ({ recording, quarantine, delivery, sink, clock }: Confirming): Promise<SourceState> => {
  const began = clock.monotonicMs()
  const state = await recording.check()
  if (state !== 'same') return state
  const confirmed = quarantine.release(recording.answersInOrder ? clock.monotonicMs() : began)
  for (const arrival of confirmed) delivery.confirm(arrival)
  const last = confirmed.at(-1)
  if (last) {
    // Silence is a measurement too; only the absence of bytes is not.
    const { levelDb } = soundLevel(Buffer.concat(confirmed.map(({ bytes }) => bytes)))
    sink.sample({ at: last.at, levelDb })
  }
  return state
}

/**
 * Records one source until `signal` aborts. Only sound that arrived before a check that found the recorder still on
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
  const recording = await open(source, config)
  const halt = new AbortController()
  const stopping = AbortSignal.any([signal, halt.signal])
  const delivery = await orStop(recording, () =>
    createChunkDelivery(lane, source.description, sink, config, (error) => halt.abort(error)),
  )
  const quarantine = new Quarantine()
  const openedMono = clock.monotonicMs()
  const { confirmMs } = lane === 'microphone' ? config.microphone : config.systemAudio
  let heard = false
  let ending: string | undefined

  recording.listen((bytes) => {
    heard = true
    quarantine.add({ bytes, at: clock.wallMs(), mono: clock.monotonicMs() })
  })
  void recording.ended.then((why) => {
    ending = why
    halt.abort()
  })

  try {
    for (let checks = 0; ; checks += 1) {
      const changed = recording.changed()
      const usualMs = confirmMs ?? recording.checkMs()
      await clock.sleep(checks < earlyChecks ? earlyConfirmMs : usualMs, AbortSignal.any([stopping, changed]))
      if (changed.aborted) await clock.sleep(settleMs, stopping)
      const state = ending === undefined ? await confirm({ recording, quarantine, delivery, sink, clock }) : 'moved'
      if (state === 'moved') throw await lossOf(source, config.env, ending)
      if (stopping.aborted) break
      if (!heard && clock.monotonicMs() - openedMono > firstByteMs) {
        throw new DriverError('driver_failed', 'the recorder gave no sound')
      }
    }
    if (!signal.aborted) throw ending === undefined ? halt.signal.reason : await lossOf(source, config.env, ending)
  } finally {
    await recording.stop()
    await delivery.flush()
  }
}
