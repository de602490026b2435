import type { Readable } from 'node:stream'
import type { Clock } from '../../shared/clock.ts'
import { encodeOpus, OPUS_CONTENT_TYPE } from '../encode-opus.ts'
import { type PcmSegment, PcmSegmenter, SAMPLE_RATE, soundLevel } from '../pcm.ts'
import { type CaptureConfig, DriverError, type DriverSink } from '../types.ts'
import { resolveSource, type SoundLane, SourceGuard, type SourceState } from './sound-source.ts'

/** How often the identity of the source is confirmed. Sound newer than the last confirmation is held back. */
const CONFIRM_MS = 2000
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

type Arrival = { bytes: Buffer; at: number; mono: number }

const kindOf = { microphone: 'audio_chunk', system_audio: 'system_audio_chunk' } as const

/** Measures, cuts and encodes confirmed sound, and delivers it in order. */
const createSegmentDelivery = (
  lane: SoundLane,
  device: string,
  sink: DriverSink,
  config: CaptureConfig,
  onError: (error: unknown) => void,
) => {
  const { chunkSeconds, bitrateKbps } = lane === 'microphone' ? config.microphone : config.systemAudio
  const segmenter = new PcmSegmenter(chunkSeconds)
  let queue: Promise<void> = Promise.resolve()

  const deliver = async (segment: PcmSegment): Promise<void> => {
    const { pcm, capturedAt, monotonicMs, durationMs } = segment
    const bytes = await encodeOpus(pcm, bitrateKbps, config.env)
    const meta = { codec: 'opus', sampleRate: SAMPLE_RATE, channels: 1, device, ...soundLevel(pcm) }
    const contentType = OPUS_CONTENT_TYPE
    await sink.item({ kind: kindOf[lane], lane, capturedAt, monotonicMs, durationMs, contentType, bytes, meta })
  }
  const enqueue = (segment: PcmSegment): void => {
    queue = queue.then(() => deliver(segment))
    queue.catch(onError)
  }
  return {
    confirm: ({ bytes, at, mono }: Arrival): void => {
      for (const segment of segmenter.push(bytes, at, mono)) enqueue(segment)
    },
    /** Ends the segment being filled and waits until all are durable. */
    flush: async (): Promise<void> => {
      const last = segmenter.flush()
      if (last) enqueue(last)
      await queue
    },
  }
}

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
  const delivery = createSegmentDelivery(lane, source.description, sink, config, (error) => halt.abort(error))
  const quarantine = new Quarantine()
  const openedMono = clock.monotonicMs()
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
      await clock.sleep(checks < EARLY_CHECKS ? EARLY_CONFIRM_MS : CONFIRM_MS, stopping)
      const state = ending === undefined ? await confirm() : 'moved'
      if (state === 'moved') throw await guard.loss(ending)
      if (stopping.aborted) break
      if (!heard && clock.monotonicMs() - openedMono > FIRST_BYTE_MS) {
        throw new DriverError('driver_failed', 'the recorder gave no sound')
      }
    }
    if (!signal.aborted) throw ending === undefined ? halt.signal.reason : await guard.loss(ending)
  } finally {
    await recording.stop()
    await delivery.flush()
  }
}
