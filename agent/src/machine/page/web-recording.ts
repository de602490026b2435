import type { CapturedItem, ConfirmedSound, DriverSink } from '../../core/capture/types.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Handover } from './messages.ts'
import type { PageStream } from './page-stream.ts'
import { type Segment, SegmentAssembly } from './segments.ts'

/** How often the source's identity is confirmed; what is newer than the last time waits in the page. */
const confirmEveryMs = 2000

export interface SegmentSettings {
  seconds: number
  contentType: string
  bitsPerSecond: number
}

export interface RecordingOptions {
  stream: PageStream
  sink: DriverSink
  clock: Clock
  /** Absent: nothing is recorded in segments, the source is only confirmed. */
  segments?: SegmentSettings
  confirmMs?: number
  describe: (segment: Segment) => Pick<CapturedItem, 'kind' | 'lane' | 'displayId' | 'contentType' | 'levels' | 'meta'>
  /** Told after each confirmation. */
  onConfirmed?: (handover: Handover) => void
  /** Hears confirmed samples, in order; the page gives them only while they are wanted. */
  listener?: SampleListener
}

export interface SampleListener {
  wanted(): boolean
  hear(sound: Pick<ConfirmedSound, 'bytes' | 'at'>): void
}

export interface Recording {
  /**
   * Records until `signal` aborts, and confirms that the source is still the one that was opened: what came of another
   * one in its place is dropped. Throws DriverError when it is lost, and what the sink throws.
   */
  run(signal: AbortSignal): Promise<void>
  /** Closes the stream and delivers what was still open. */
  finish(): Promise<void>
}

/** Has the page give its samples while they are wanted, and hands them on. */
const createListening = ({ stream, clock, listener }: RecordingOptions) => {
  let listens = false
  return {
    ifWanted: async (): Promise<void> => {
      const wanted = listener?.wanted() ?? false
      if (wanted === listens) return
      await stream.request('listen', { wanted })
      listens = wanted
    },
    hear: ({ pcm }: Handover, bytes: Buffer): void => {
      if (!pcm) return
      const { at } = stream.link.clock.toLocal(pcm.endedAt, clock)
      // A copy: a slice would hold the whole message in memory as long as the listener holds it.
      listener?.hear({ bytes: Buffer.from(bytes.subarray(bytes.length - pcm.length)), at })
    },
  }
}

/** Records a stream in segments. */
export const createRecording = (options: RecordingOptions): Recording => {
  const { stream, sink, clock, segments, confirmMs = confirmEveryMs } = options
  const assembly = new SegmentAssembly()
  const undelivered = new AbortController()
  let queue: Promise<void> = Promise.resolve()
  let cutMono = Number.NEGATIVE_INFINITY
  const listening = createListening(options)

  const deliver = (ready: Segment[]): void => {
    for (const segment of ready) {
      const item = itemOf(segment, options)
      queue = queue.then(() => sink.item(item))
      queue.catch((error: unknown) => undelivered.abort(error))
    }
  }
  /** Cuts when it is time; gives how long it is until the next cut. */
  const cutWhenDue = async (): Promise<number> => {
    if (!segments) return Number.POSITIVE_INFINITY
    const { contentType, bitsPerSecond, seconds } = segments
    const now = clock.monotonicMs()
    if (now - cutMono >= seconds * 1000) {
      cutMono = now
      await stream.request('cut', { contentType, bitsPerSecond })
    }
    return cutMono + seconds * 1000 - clock.monotonicMs()
  }
  const take = ({ value, bytes }: { value: Handover; bytes: Buffer }): void => {
    deliver(assembly.take(value, bytes))
    listening.hear(value, bytes)
  }

  return {
    run: async (signal) => {
      const halted = AbortSignal.any([signal, undelivered.signal])
      while (!halted.aborted) {
        const nudge = stream.nudge()
        await listening.ifWanted()
        const dueMs = await cutWhenDue()
        await clock.sleep(Math.max(1, Math.min(confirmMs, dueMs)), AbortSignal.any([halted, nudge]))
        if (halted.aborted) break
        const answer = await stream.confirm()
        take(answer)
        options.onConfirmed?.(answer.value)
      }
      if (undelivered.signal.aborted) throw undelivered.signal.reason
    },
    finish: async () => {
      const rest = await stream.close()
      if (rest?.value.state === 'same') take(rest)
      deliver(assembly.flush())
      await queue
    },
  }
}

const itemOf = (segment: Segment, { stream, describe, clock }: RecordingOptions): CapturedItem => {
  const begin = stream.link.clock.toLocal(segment.startedAt, clock)
  const { meta, ...rest } = describe(segment)
  return {
    ...rest,
    capturedAt: begin.at,
    monotonicMs: begin.mono,
    durationMs: Math.max(1, Math.round(segment.endedAt - segment.startedAt)),
    bytes: segment.bytes,
    meta: { ...meta, clockOffsetMs: begin.offsetMs, device: stream.opened.label },
  }
}
