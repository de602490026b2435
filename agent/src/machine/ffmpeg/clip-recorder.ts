import type { Readable } from 'node:stream'
import type { CapturedItem, DriverSink, ItemMeta } from '../../core/capture/types.ts'
import type { Clock } from '../../shared/clock.ts'
import { Mp4ClipSplitter } from './mp4-fragments.ts'

export interface ClipOptions {
  kind: 'screen_clip' | 'camera_clip'
  lane: 'screen' | 'camera'
  clipSeconds: number
  framesPerSecond: number
  displayId?: string
  meta: ItemMeta
}

/** A clip that by its delivery begins so near to the end of the one before it begins there: they are of one stream. Ms. */
const seamMs = 1000

export interface ClipRecording {
  /** Aborts, with the error, when a clip could not be cut or delivered. */
  failed: AbortSignal
  finish(): Promise<void>
}

/**
 * Delivers the clips of a live MP4 stream as they fill up. `finish` delivers the last, partial one; a failed delivery
 * is thrown there and reported by `failed`, which aborts.
 */
export const recordClips = (stream: Readable, sink: DriverSink, clock: Clock, options: ClipOptions): ClipRecording => {
  const { kind, lane, framesPerSecond, clipSeconds } = options
  const splitter = new Mp4ClipSplitter(Math.round(clipSeconds * framesPerSecond))
  const failed = new AbortController()
  let queue: Promise<void> = Promise.resolve()
  let ended: { readonly at: number; readonly mono: number } | undefined

  /** Deliveries come late by more or less; the frames are there without a hole. */
  const beginningOf = (durationMs: number): { readonly at: number; readonly mono: number } => {
    const delivered = { at: Math.round(clock.wallMs()) - durationMs, mono: clock.monotonicMs() - durationMs }
    const begin = ended && Math.abs(delivered.at - ended.at) < seamMs ? ended : delivered
    ended = { at: begin.at + durationMs, mono: begin.mono + durationMs }
    return begin
  }

  const deliver = (clip: { bytes: Buffer; frames: number }): void => {
    const durationMs = Math.round((clip.frames * 1000) / framesPerSecond)
    const begin = beginningOf(durationMs)
    const item: CapturedItem = {
      kind,
      lane,
      displayId: options.displayId,
      capturedAt: begin.at,
      monotonicMs: begin.mono,
      durationMs,
      contentType: 'video/mp4',
      bytes: clip.bytes,
      meta: { ...options.meta, codec: 'h264', framesPerSecond },
    }
    queue = queue.then(() => sink.item(item))
    queue.catch((error: unknown) => failed.abort(error))
  }

  stream.on('data', (bytes: Buffer) => {
    if (failed.signal.aborted) return
    try {
      for (const clip of splitter.push(bytes)) deliver(clip)
    } catch (error) {
      failed.abort(error)
    }
  })
  return {
    failed: failed.signal,
    finish: async (): Promise<void> => {
      const last = splitter.flush()
      if (last) deliver(last)
      await queue
      if (failed.signal.aborted) throw failed.signal.reason
    },
  }
}
