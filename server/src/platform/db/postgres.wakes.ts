import pg from 'pg'
import { LocalWakes } from './local-wakes.ts'

const firstRetryMs = 100
const lastRetryMs = 5_000

/**
 * LISTEN on a connection of its own, made when somebody listens for the first time and made again when it breaks.
 * Wake-ups sent in between are lost, so every listener is woken once when the connection is (back) there.
 */
export class PostgresWakes {
  readonly #config: pg.ClientConfig
  readonly #send: (channel: string) => Promise<unknown>
  readonly #local = new LocalWakes()
  readonly #sending = new Map<string, { again: boolean }>()
  #client: pg.Client | undefined
  #ready: pg.Client | undefined
  /** One LISTEN after the other: a busy client takes no second statement. */
  #listening: Promise<unknown> = Promise.resolve()
  #retryMs = firstRetryMs
  #retry: NodeJS.Timeout | undefined
  #closed = false

  constructor(config: pg.ClientConfig, send: (channel: string) => Promise<unknown>) {
    this.#config = config
    this.#send = send
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
    this.#send(channel).then(done, done)
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
    this.#local.close()
    const client = this.#client
    this.#client = undefined
    this.#ready = undefined
    await client?.end().catch(() => undefined)
  }

  #connect(): void {
    const client = new pg.Client({ ...this.#config, keepAlive: true, connectionTimeoutMillis: 10_000 })
    this.#client = client
    client.on('notification', ({ channel }) => this.#local.notify(channel))
    client.on('error', () => this.#lost(client))
    client.on('end', () => this.#lost(client))
    client.connect().then(
      () => {
        this.#retryMs = firstRetryMs
        this.#ready = client
        this.#subscribe(client, this.#local.channels())
      },
      () => this.#lost(client),
    )
  }

  #subscribe(client: pg.Client, channels: readonly string[]): void {
    if (channels.length === 0) return
    const listens = channels.map((channel) => `LISTEN ${pg.escapeIdentifier(channel)}`).join('; ')
    this.#listening = this.#listening
      .then(() => client.query(listens))
      .then(() => {
        for (const channel of channels) this.#local.notify(channel)
      })
      .catch(() => this.#lost(client))
  }

  #lost(client: pg.Client): void {
    if (client !== this.#client || this.#closed) return
    this.#ready = undefined
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
