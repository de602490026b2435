import { type PcmSegment, PcmSegmenter, sampleRate, soundLevel, soundLevels } from '../../core/capture/pcm.ts'
import type { CaptureConfig, DriverSink, SoundLane } from '../../core/capture/types.ts'
import { encodeOpus, opusContentType } from '../ffmpeg/encode-opus.ts'
import { openOpusChunks } from '../ffmpeg/opus-chunks.ts'

export interface Arrival {
  bytes: Buffer
  at: number
  mono: number
}

export interface ChunkDelivery {
  /** Takes sound that is known to come from the right source. */
  confirm(arrival: Arrival): void
  /** Ends the chunk being filled and waits until all are durable. */
  flush(): Promise<void>
}

const kindOf = { microphone: 'audio_chunk', system_audio: 'system_audio_chunk' } as const

/**
 * Measures, cuts and encodes confirmed sound, and delivers it in order. Chunks are cut twice at the same samples: the
 * raw sound here, which says when each began and how loud it was, and the encoded one by the encoder. `onError` is
 * told when a delivery fails or the encoder ends; chunks that it had not given yet are then encoded one by one.
 */
export const createChunkDelivery = (
  lane: SoundLane,
  device: string,
  sink: DriverSink,
  config: CaptureConfig,
  onError: (error: unknown) => void,
): ChunkDelivery => {
  const settings = lane === 'microphone' ? config.microphone : config.systemAudio
  const segmenter = new PcmSegmenter(settings.chunkSeconds)
  const waiting: PcmSegment[] = []
  let queue: Promise<void> = Promise.resolve()
  let finishing = false

  const deliver = async (segment: PcmSegment, encode: () => Buffer | Promise<Buffer>): Promise<void> => {
    const { pcm, capturedAt, monotonicMs, durationMs } = segment
    const bytes = await encode()
    const meta = { codec: 'opus', sampleRate: sampleRate, channels: 1, device, ...soundLevel(pcm) }
    const what = { kind: kindOf[lane], lane, contentType: opusContentType, bytes, levels: soundLevels(pcm), meta }
    await sink.item({ ...what, capturedAt, monotonicMs, durationMs })
  }
  const enqueue = (segment: PcmSegment, encode: () => Buffer | Promise<Buffer>): void => {
    queue = queue.then(() => deliver(segment, encode))
    queue.catch(onError)
  }
  const encoder = openOpusChunks(settings, config.env, (bytes) => {
    const segment = waiting.shift()
    if (segment) enqueue(segment, () => bytes)
  })
  void encoder.ended.then((why) => {
    if (!finishing) onError(new Error(`the sound encoder ended: ${why}`))
  })

  let half: Buffer = Buffer.alloc(0)
  /** Whole samples only: a pipe may cut one in two. */
  const tell = (bytes: Buffer, at: number): void => {
    if (!config.onSound) return
    const all = half.length > 0 ? Buffer.concat([half, bytes]) : bytes
    const whole = all.length - (all.length % 2)
    half = all.subarray(whole)
    if (whole > 0) config.onSound({ lane, bytes: all.subarray(0, whole), at })
  }

  return {
    confirm: ({ bytes, at, mono }) => {
      tell(bytes, at)
      waiting.push(...segmenter.push(bytes, at, mono))
      encoder.write(bytes)
    },
    flush: async () => {
      finishing = true
      const last = segmenter.flush()
      if (last) waiting.push(last)
      await encoder.finish()
      for (const segment of waiting.splice(0)) {
        enqueue(segment, () => encodeOpus(segment.pcm, settings.bitrateKbps, config.env))
      }
      await queue
    },
  }
}
