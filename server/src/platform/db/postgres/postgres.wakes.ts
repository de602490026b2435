import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inTime } from '../../in-time.ts'
import { LocalWakes } from '../local-wakes.ts'
import { cutConnection } from './postgres.pulse.ts'

const firstRetryMs = 100
const lastRetryMs = 5_000
/** So often this process wakes itself, to know that it is heard. */
const usualBeatMs = 10_000
const patienceMs = 5_000

export interface WakesOptions {
  readonly connectionString: string
  /** Sends a wake-up, from wherever the database is written to. */
  readonly send: (channel: string) => Promise<unknown>
  /** Told when wake-ups are not heard any more, with the reason, and when they are again. */
  readonly onChange?: ((lost: Error | undefined) => void) | undefined
  readonly beatMs?: number
}

/**
 * LISTEN on a connection of its own, made when somebody listens for the first time and made again when it breaks.
 * Wake-ups sent in between are lost, so every listener is woken once when the connection is (back) there.
 *
 * A connection that stands still breaks by itself after hours only, and a pooler in transaction mode takes LISTEN and passes
 * nothing on. So this process wakes itself once in a while: what it does not hear, nobody's wake-ups would have come by.
 */
export class PostgresWakes {
  readonly #options: WakesOptions
  readonly #own = `wakes_${randomBytes(8).toString('hex')}`
  readonly #local = new LocalWakes()
  readonly #sending = new Map<string, { again: boolean }>()
  #client: pg.Client | undefined
  #ready: pg.Client | undefined
  /** One LISTEN after the other: a busy client takes no second statement. */
  #listening: Promise<unknown> = Promise.resolve()
  #retryMs = firstRetryMs
  #retry: NodeJS.Timeout | undefined
  #beat: NodeJS.Timeout | undefined
  #onOwn: (() => void) | undefined
  #hears = true
  #closed = false

  constructor(options: WakesOptions) {
    this.#options = options
  }

  /** False from a loss on, until this process has heard itself again. */
  get hears(): boolean {
    return this.#hears
  }

  /** Asks the server to wake every listener. Any number of calls while one is on its way become one more. */
  notify(channel: string): void {
    checkChannel(channel)
    const sending = this.#sending.get(channel)
    if (sending !== undefined) {
      sending.again = true
      return
    }
    if (this.#closed) return
    const state = { again: false }
    this.#sending.set(channel, state)
    const done = () => {
      this.#sending.delete(channel)
      if (state.again) this.notify(channel)
    }
    // A wake-up that cannot be sent is covered by the listeners' polling.
    this.#options.send(channel).then(done, done)
  }

  listen(channel: string, onWake: () => void): () => void {
    checkChannel(channel)
    const known = this.#local.channels().includes(channel)
    const stop = this.#local.listen(channel, onWake)
    if (this.#client === undefined) this.#connect()
    else if (this.#ready && !known) this.#subscribe(this.#ready, [channel])
    else if (this.#ready) this.#local.notify(channel)
    return stop
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retry)
    clearTimeout(this.#beat)
    this.#local.close()
    const client = this.#client
    this.#client = undefined
    this.#ready = undefined
    await client?.end().catch(() => undefined)
  }

  #connect(): void {
    const { connectionString } = this.#options
    const client = new pg.Client({ connectionString, keepAlive: true, connectionTimeoutMillis: 10_000 })
    this.#client = client
    client.on('notification', ({ channel }) => {
      if (channel === this.#own) this.#onOwn?.()
      else this.#local.notify(channel)
    })
    client.on('error', (error) => this.#lost(client, error))
    client.on('end', () => this.#lost(client, new Error('the connection ended')))
    client.connect().then(
      () => {
        this.#ready = client
        this.#subscribe(client, [this.#own, ...this.#local.channels()])
        void this.#hearOneself(client)
      },
      (error: Error) => this.#lost(client, error),
    )
  }

  async #hearOneself(client: pg.Client): Promise<void> {
    const heard = new Promise<void>((resolve) => {
      this.#onOwn = resolve
    })
    try {
      await inTime(this.#listening, patienceMs, () => new Error('LISTEN is not answered'))
      // One that cannot be sent says nothing of whether it would be heard.
      if (await this.#isSent()) {
        await inTime(heard, patienceMs, () => new Error('LISTEN is answered, and nothing is heard'))
        if (client === this.#ready) this.#found()
      }
    } catch (error) {
      if (client === this.#ready) cutConnection(client)
      this.#lost(client, error as Error)
    }
    if (client !== this.#ready || this.#closed) return
    this.#beat = setTimeout(() => void this.#hearOneself(client), this.#options.beatMs ?? usualBeatMs).unref()
  }

  #isSent(): Promise<boolean> {
    return this.#options.send(this.#own).then(
      () => true,
      () => false,
    )
  }

  #subscribe(client: pg.Client, channels: readonly string[]): void {
    if (channels.length === 0) return
    const listens = channels.map((channel) => `LISTEN ${pg.escapeIdentifier(channel)}`).join('; ')
    this.#listening = this.#listening
      .then(() => client.query(listens))
      .then(() => {
        for (const channel of channels) if (channel !== this.#own) this.#local.notify(channel)
      })
      .catch((error: Error) => this.#lost(client, error))
  }

  #found(): void {
    this.#retryMs = firstRetryMs
    if (this.#hears) return
    this.#hears = true
    this.#options.onChange?.(undefined)
  }

  #lost(client: pg.Client, error: Error): void {
    if (client !== this.#client || this.#closed) return
    if (this.#hears) {
      this.#hears = false
      this.#options.onChange?.(error)
    }
    this.#ready = undefined
    clearTimeout(this.#beat)
    // Kept until the new one exists, so that `listen` does not open a second.
    this.#client = client
    client.removeAllListeners('end')
    void client.end().catch(() => undefined)
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.#connect(), this.#retryMs)
    this.#retryMs = Math.min(this.#retryMs * 2, lastRetryMs)
  }
}

/** Postgres cuts longer names off, and then nobody would hear them. */
const checkChannel = (channel: string): void => {
  if (channel === '' || Buffer.byteLength(channel) > 63) throw new TypeError(`not a channel name: ${channel}`)
}
