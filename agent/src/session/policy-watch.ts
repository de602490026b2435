import { describeError } from '../upload/answers.ts'
import type { SessionInput } from './machine.ts'
import type { LiveLink, OpenLive } from './ports.ts'
import { isStatus } from './service-calls.ts'
import type { ServiceLink } from './service-link.ts'
import type { SessionRecord } from './session-record.ts'

export interface PolicyWatchOptions {
  readonly link: ServiceLink
  readonly record: () => SessionRecord
  readonly dispatch: (input: SessionInput) => Promise<void>
  readonly onTrouble: (trouble: string) => void
  readonly openLive: OpenLive | undefined
  readonly closing: AbortSignal
}

const readTimeoutMs = 10_000

/** Learns of a changed policy and of an end from outside: by asking, and at once while the live link stands. */
export class PolicyWatch {
  readonly #options: PolicyWatchOptions
  #live: LiveLink | undefined
  #connected = false
  #reading: Promise<void> | undefined
  #again = false

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

  openLive(): void {
    const { openLive, record, closing } = this.#options
    if (!openLive || this.#live || closing.aborted) return
    const { token, sessionId } = record()
    const listener = {
      onNews: () => void this.read(),
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
      const signal = AbortSignal.any([closing, AbortSignal.timeout(readTimeoutMs)])
      const read = await link.poll(record(), signal)
      if (read) await dispatch({ type: 'config_read', ...read })
    } catch (error) {
      if (closing.aborted) return
      if (isStatus(error, 401)) await dispatch({ type: 'unauthorized' })
      else if (isStatus(error, 404, 409)) await dispatch({ type: 'session_gone' })
      else onTrouble(`config not read: ${describeError(error)}`)
    }
  }
}
