import type { QualityLevel } from '../upload/bandwidth.ts'
import { Uploader } from '../upload/uploader.ts'
import type { UploaderStatus } from '../upload/uploader.types.ts'
import type { AgentSessionOptions } from './agent-session.types.ts'
import type { SessionRecord } from './session-record.ts'

export interface SessionUploadOptions extends Pick<AgentSessionOptions, 'spool' | 'clock' | 'clientFor'> {
  readonly random: (() => number) | undefined
  readonly isLinked: () => boolean
  readonly onTrouble: (trouble: string) => void
  readonly onQuality: (level: QualityLevel) => void
  readonly onUnauthorized: () => void
  readonly onGone: () => void
}

const drainCheckMs = 250

/** Sends what the spool holds, from the moment that the service takes something of this session. */
export class SessionUpload {
  readonly #options: SessionUploadOptions
  #uploader: Uploader | undefined

  constructor(options: SessionUploadOptions) {
    this.#options = options
  }

  /** Once; further calls change nothing. */
  start({ token, sessionId }: SessionRecord): void {
    if (this.#uploader) return
    const { clientFor, random, ...rest } = this.#options
    this.#uploader = new Uploader({
      ...rest,
      client: clientFor(token),
      sessionId,
      ...(random ? { random } : {}),
    })
    this.#uploader.start()
  }

  /** Something new waits in the spool; of events, their kinds. */
  nudge(kinds?: readonly string[]): void {
    this.#uploader?.nudge(kinds)
  }

  /** Somebody looks on: what waits, and what comes within this time, is sent at once. */
  atOnceFor(ms: number): void {
    this.#uploader?.atOnceFor(ms)
  }

  status(): UploaderStatus | undefined {
    return this.#uploader?.status()
  }

  /** While `finishing`: calls `over` whenever nothing is left to send. */
  async drain(finishing: () => boolean, over: () => Promise<void>, closing: AbortSignal): Promise<void> {
    const { spool, clock } = this.#options
    // Nothing more comes that could go along.
    this.atOnceFor(Number.POSITIVE_INFINITY)
    while (finishing() && !closing.aborted) {
      const { items, events, segments } = spool.remaining()
      if (items + events + segments === 0) await over()
      if (finishing()) await clock.sleep(drainCheckMs, closing)
    }
  }

  async stop(): Promise<void> {
    await this.#uploader?.stop()
  }
}
