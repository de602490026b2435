import type { WebSocket } from 'ws'

/** What one socket may have waiting; a consumer that takes less than it is sent is cut off. */
const maxQueuedBytes = 64 * 1024
/** A socket that was asked to close and does not answer is cut after this. */
const lingerMs = 5000

/** RFC 6455, section 7.4.1: the endpoint has received what it does not take. */
const policyViolation = 1008

/** One open WebSocket on which only the server speaks: whatever the client sends but pongs ends it. */
export class LiveConnection {
  /** Sockets of the same group share a limit. */
  readonly group: string
  readonly #socket: WebSocket
  readonly #ended = new AbortController()
  #missed = 0
  #heard = true

  constructor(socket: WebSocket, group: string) {
    this.#socket = socket
    this.group = group
    socket.on('close', () => this.#ended.abort())
    // ws closes by itself after an error of the protocol (1002, 1009 for too large); 'close' follows.
    socket.on('error', () => undefined)
    socket.on('pong', () => {
      this.#missed = 0
      this.#heard = true
    })
    socket.on('message', () => this.close(policyViolation, 'nothing is expected from the client'))
  }

  /** Aborted once the socket is over, whoever ended it. */
  get ended(): AbortSignal {
    return this.#ended.signal
  }

  /** Pings that have got no answer yet. */
  get unanswered(): number {
    return this.#missed
  }

  send(text: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#socket.bufferedAmount > maxQueuedBytes) this.#socket.terminate()
    else this.#socket.send(text)
  }

  /** Asks the client to close; cuts it off when it does not. */
  close(code: number, reason: string): void {
    if (this.ended.aborted) return
    this.#socket.close(code, reason)
    const linger = setTimeout(() => this.#socket.terminate(), lingerMs)
    linger.unref()
    this.ended.addEventListener('abort', () => clearTimeout(linger), { once: true })
  }

  terminate(): void {
    this.#socket.terminate()
  }

  /** One round: asks again, or cuts the socket after `allowed` pings without an answer. True when it was heard since the last. */
  beat(allowed: number): boolean {
    if (this.#missed >= allowed) {
      this.terminate()
      return false
    }
    this.#missed += 1
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping()
    const heard = this.#heard
    this.#heard = false
    return heard
  }
}
