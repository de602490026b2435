import type { ServerResponse } from 'node:http'
import type { Clock } from '../clock.ts'
import { heartbeat, retryHint } from './frame.ts'

export interface SseOptions {
  readonly clock: Clock
  /** Asked before each heartbeat; false, or a failure to find out, ends the stream. */
  readonly stillAllowed?: () => boolean | Promise<boolean>
  /** Headers besides those of the stream itself (request id, version). */
  readonly headers?: Readonly<Record<string, string>>
  readonly heartbeatMs?: number
  /** Hint to the client for its next connection. */
  readonly retryMs?: number
  /** Frames that arrive within this time leave in one write. */
  readonly joinMs?: number
  /** A consumer with more than this waiting is disconnected. */
  readonly maxQueuedBytes?: number
  readonly maxQueuedFrames?: number
}

const defaults = { heartbeatMs: 15_000, retryMs: 3000, joinMs: 10, maxQueuedBytes: 1024 * 1024, maxQueuedFrames: 1000 }
/** A response that was ended and is still not taken is destroyed after this. */
const lingerMs = 5000

/**
 * One open stream over a Node response. What waits for a slow consumer is bounded in bytes and in frames; beyond that
 * it is disconnected and comes back with the id of the last event it saw.
 */
export class SseConnection {
  readonly #response: ServerResponse
  readonly #settings: SseOptions & typeof defaults
  readonly #ended = new AbortController()
  readonly #waiting = new Set<() => void>()
  #queue: Buffer[] = []
  #queuedBytes = 0
  #timer: NodeJS.Timeout | undefined
  /** True from a heartbeat that found the consumer behind until it has caught up. */
  #stalled = false

  constructor(response: ServerResponse, options: SseOptions) {
    this.#response = response
    this.#settings = { ...defaults, ...options }
    response.on('close', () => this.#close())
    response.on('error', () => this.drop())
    response.on('drain', () => this.#drain())
    response.writeHead(200, {
      ...options.headers,
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    })
    response.socket?.setTimeout(0)
    response.socket?.setNoDelay(true)
    response.write(retryHint(this.#settings.retryMs))
    void this.#beat()
  }

  /** Aborted once the stream is over, whoever ended it. */
  get ended(): AbortSignal {
    return this.#ended.signal
  }

  /** Queues one frame. False when the stream is over, or ends here because its consumer is too far behind. */
  send(bytes: Buffer): boolean {
    if (this.ended.aborted) return false
    this.#queue.push(bytes)
    this.#queuedBytes += bytes.length
    const { maxQueuedBytes, maxQueuedFrames, joinMs } = this.#settings
    if (
      this.#queue.length > maxQueuedFrames ||
      this.#queuedBytes + this.#response.writableLength > maxQueuedBytes + this.#response.writableHighWaterMark
    ) {
      this.drop()
      return false
    }
    this.#timer ??= setTimeout(() => this.#flush(), joinMs)
    return true
  }

  /** True while its consumer has not taken what was sent before. */
  get behind(): boolean {
    return this.#response.writableNeedDrain
  }

  /** Resolves when everything sent has left for the network, or the stream is over: paces a long replay. */
  async drained(): Promise<void> {
    this.#flush()
    if (this.ended.aborted || !this.#response.writableNeedDrain) return
    await new Promise<void>((resolve) => this.#waiting.add(resolve))
  }

  /** Sends what is queued and ends the stream. A consumer that is behind is cut off instead. */
  end(): void {
    if (this.ended.aborted) return
    if (this.#response.writableNeedDrain) {
      this.drop()
      return
    }
    this.#flush()
    this.#close()
    this.#response.end()
    const linger = setTimeout(() => this.#response.destroy(), lingerMs)
    linger.unref()
    this.#response.once('close', () => clearTimeout(linger))
  }

  /** Ends the stream if it is allowed no more. */
  async recheck(): Promise<void> {
    const { stillAllowed } = this.#settings
    if (!stillAllowed || this.ended.aborted) return
    try {
      if ((await stillAllowed()) === false) this.end()
    } catch {
      // The heartbeat asks again, and ends the stream where it still cannot be found out.
    }
  }

  /** Cuts the connection. */
  drop(): void {
    this.#close()
    this.#response.destroy()
  }

  /** Makes the client wait that long before it comes back. */
  hintRetry(ms: number): void {
    this.send(retryHint(ms))
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    // Behind: the frames stay here, where they are counted, until the consumer has taken the earlier ones.
    if (this.#queue.length === 0 || this.ended.aborted || this.#response.writableNeedDrain) return
    const frames = this.#queue
    this.#queue = []
    this.#queuedBytes = 0
    this.#response.cork()
    for (const bytes of frames) this.#response.write(bytes)
    this.#response.uncork()
  }

  #drain(): void {
    this.#stalled = false
    this.#flush()
    if (!this.#response.writableNeedDrain) this.#release()
  }

  #release(): void {
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }

  #close(): void {
    if (this.ended.aborted) return
    clearTimeout(this.#timer)
    this.#queue = []
    this.#ended.abort()
    this.#release()
  }

  async #beat(): Promise<void> {
    const { clock, heartbeatMs, stillAllowed } = this.#settings
    try {
      for (;;) {
        await clock.sleep(heartbeatMs, this.ended)
        if (stillAllowed && !(await stillAllowed())) break
        if (this.#stalled) {
          this.drop()
          return
        }
        this.#stalled = this.#response.writableNeedDrain
        if (!this.#stalled) this.send(heartbeat)
      }
    } catch {
      // The stream ended while asleep, or the check failed: without an answer the stream may not go on.
    }
    this.end()
  }
}
