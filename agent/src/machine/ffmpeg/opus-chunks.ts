import type { CaptureConfig, SoundConfig } from '../../core/capture/types.ts'
import { stopChild } from '../../shared/child-process.ts'
import { opusOptions, pcmInput } from './encode-opus.ts'
import { startFfmpeg } from './ffmpeg-process.ts'

/** Whole chunks need this long at most; after it the encoder is taken for dead. */
const finishGraceMs = 5000
/** 25 packets a second: whole seconds of sound are whole packets, and half as many are made as by default. */
const packetMs = 40

/**
 * Cuts a stream of WebM files that follow each other without a mark between them. Each begins with the same EBML
 * header and segment id as the first: 40 bytes, which compressed sound does not repeat by chance as it may the four
 * bytes of the EBML id alone.
 */
export class WebmSplitter {
  #rest: Buffer = Buffer.alloc(0)
  #searched = 0

  static readonly headerBytes = 40

  /** Gives the files that are complete: the next one has begun. */
  push(bytes: Buffer): Buffer[] {
    this.#rest = Buffer.concat([this.#rest, bytes])
    const length = WebmSplitter.headerBytes
    const done: Buffer[] = []
    while (this.#rest.length >= 2 * length) {
      const header = this.#rest.subarray(0, length)
      const next = this.#rest.indexOf(header, Math.max(length, this.#searched))
      if (next < 0) {
        this.#searched = this.#rest.length - length + 1
        break
      }
      done.push(Buffer.from(this.#rest.subarray(0, next)))
      this.#rest = this.#rest.subarray(next)
      this.#searched = 0
    }
    return done
  }

  /** The file that the end of the stream completes. */
  flush(): Buffer | undefined {
    const last = this.#rest
    this.#rest = Buffer.alloc(0)
    return last.length > 0 ? last : undefined
  }
}

export interface OpusChunks {
  /** Takes PCM (16 kHz mono); what it completes comes by `onChunk`, in order. */
  write(pcm: Buffer): void
  /** Ends the last chunk; resolves when it has been given, or the encoder did not end in time. */
  finish(): Promise<void>
  /** Resolves, with the reason, when the encoder is gone. */
  ended: Promise<string>
}

/**
 * One encoder for as long as a lane records: Opus in WebM, a file that plays by itself for each `chunkSeconds` of
 * sound. A chunk is complete when the sound after it begins. The encoder's look-ahead of 6.5 ms makes the last
 * file of a stream whose sound ends with a chunk, which holds nothing more.
 */
export const openOpusChunks = (
  { chunkSeconds, bitrateKbps }: SoundConfig,
  env: CaptureConfig['env'],
  onChunk: (bytes: Buffer) => void,
): OpusChunks => {
  const cut = [
    ...['-map', '0:a', '-f', 'stream_segment', '-segment_format', 'webm', '-segment_time', String(chunkSeconds)],
    // The look-ahead puts each packet 6.5 ms before its place; without a tolerance chunks would end a packet late.
    ...['-segment_time_delta', '0.02', '-reset_timestamps', '1', '-segment_format_options', 'flush_packets=1'],
  ]
  const packets = ['-frame_duration', String(packetMs)]
  // The muxer wants a number in each name. A pipe without a number of its own is standard output.
  const args = [...pcmInput, ...opusOptions(bitrateKbps), ...packets, ...cut, 'pipe:chunk-%d']
  const ffmpeg = startFfmpeg(args, env ?? process.env)
  const splitter = new WebmSplitter()
  ffmpeg.stdout.on('data', (bytes: Buffer) => {
    for (const chunk of splitter.push(bytes)) onChunk(chunk)
  })
  const ended = ffmpeg.closed.then(() => ffmpeg.ending())
  return {
    write: (pcm) => void ffmpeg.child.stdin?.write(pcm),
    ended,
    finish: async () => {
      ffmpeg.child.stdin?.end()
      const timer = setTimeout(() => void stopChild(ffmpeg.child, { signal: 'SIGKILL' }), finishGraceMs)
      await ended
      clearTimeout(timer)
      const last = splitter.flush()
      // What an encoder that was killed leaves may end in the middle.
      if (last && ffmpeg.child.exitCode === 0) onChunk(last)
    },
  }
}
