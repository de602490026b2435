import type { Clock } from '../../shared/clock.ts'
import { describeError } from '../upload/answers.ts'
import type { LiveLink, OpenLive } from './ports.ts'
import { isStatus } from './service-calls.ts'
import type { ServiceLink } from './service-link.ts'
import type { SessionInput } from './session-machine.types.ts'
import type { SessionRecord } from './session-record.ts'

export interface PolicyWatchOptions {
  readonly link: ServiceLink
  readonly record: () => SessionRecord
  readonly dispatch: (input: SessionInput) => Promise<void>
  readonly onTrouble: (trouble: string) => void
  readonly openLive: OpenLive | undefined
  /** Somebody looks on for so long, ms. */
  readonly onWatched: (ms: number) => void
  readonly clock: Clock
  readonly closing: AbortSignal
}

const readTimeoutMs = 10_000
/** After what time a session that is not found is asked for once more, before everything of it is deleted here. */
const surelyGoneMs = 2000

/** Learns of a changed policy and of an end from outside: by asking, and at once while the live link stands. */
export class PolicyWatch {
  readonly #options: PolicyWatchOptions
  #live: LiveLink | undefined
  #connected = false
  #reading: Promise<void> | undefined
  #again = false
  #missed = false

  constructor(options: PolicyWatchOptions) {
    this.#options = options
  }

  get connected(): boolean {
    return this.#connected
  }

  /** Asks with the version that is known: an unchanged policy costs one 304. News during a read are read after it. */
  async read(): Promise<void> {
    this.#again = this.#reading !== undefined
    this.#reading ??= this.#readOnce().finally(() => {
      this.#reading = undefined
    })
    await this.#reading
    if (!this.#again) return
    this.#again = false
    await this.read()
  }

  /** Resolves when no reading is under way. */
  async idle(): Promise<void> {
    await this.#reading
  }

  openLive(): void {
    const { openLive, record, closing, onWatched } = this.#options
    if (!openLive || this.#live || closing.aborted) return
    const { token, sessionId } = record()
    const listener = {
      onNews: () => void this.read(),
      onWatched,
      onState: (connected: boolean) => {
        this.#connected = connected
      },
    }
    this.#live = openLive({ token, sessionId }, listener)
    this.#live.start()
  }

  async closeLive(): Promise<void> {
    const live = this.#live
    this.#live = undefined
    this.#connected = false
    await live?.stop()
  }

  async #readOnce(): Promise<void> {
    const { link, record, dispatch, onTrouble, closing } = this.#options
    try {
      const read = await link.poll(record(), { signal: closing, timeoutMs: readTimeoutMs })
      this.#missed = false
      if (read) await dispatch({ type: 'config_read', ...read })
    } catch (error) {
      if (closing.aborted) return
      if (isStatus(error, 401)) await dispatch({ type: 'unauthorized' })
      else if (isStatus(error, 404, 410)) await this.#notFound()
      else if (isStatus(error, 409)) await dispatch({ type: 'session_gone' })
      else onTrouble(`config not read: ${describeError(error)}`)
    }
  }

  /** One such answer may be a mistake on the way; what was captured is deleted only after a second. */
  async #notFound(): Promise<void> {
    const { clock, closing, dispatch } = this.#options
    if (this.#missed) return dispatch({ type: 'session_removed' })
    this.#missed = true
    await clock.sleep(surelyGoneMs, closing)
    if (!closing.aborted) await this.#readOnce()
  }
}
