import type { Socket } from 'node:net'

/** More is no head of an answer. */
const maxHeadBytes = 16 * 1024
const nothing = Buffer.alloc(0)
const requestLine = /^[A-Z]+ \S+ HTTP\/1\.1\r\n/
/** 101 ends HTTP on the connection, so it is no interim answer. */
const interim = /^HTTP\/1\.[01] 1(?!01)\d\d/
const longest = 'HTTP/1.1 100'.length

/** Whether these first bytes may still become the start of an interim answer. */
const mayBeInterim = (start: string): boolean =>
  start.length >= longest ? interim.test(start) : interim.test(start + 'HTTP/1.1 100'.slice(start.length))

/** Takes the interim answers out of what comes in reply to one request. */
class InterimFilter {
  #isBefore = false
  #held: Buffer = nothing

  /** A request begins: interim answers may come before its final one. */
  begin(): void {
    this.#isBefore = true
  }

  /** What of it is for the parser: empty while it cannot be told yet. */
  take(chunk: Buffer): Buffer {
    if (!this.#isBefore) return chunk
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    while (this.#held.length > 0) {
      if (!mayBeInterim(this.#held.toString('latin1', 0, longest))) return this.#release()
      const end = this.#held.indexOf('\r\n\r\n')
      if (end < 0) return this.#held.length > maxHeadBytes ? this.#release() : nothing
      this.#held = this.#held.subarray(end + 4)
    }
    return nothing
  }

  #release(): Buffer {
    const held = this.#held
    this.#isBefore = false
    this.#held = nothing
    return held
  }
}

/**
 * Interim answers (1xx) that were not asked for are passed over (RFC 9110, 15.2): the HTTP library ends a connection on
 * `100 Continue`, which some servers send to every POST. Their bytes never reach it.
 */
export const passOverInterim = (socket: Socket): Socket => {
  const filter = new InterimFilter()
  const read = socket.read.bind(socket)
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean
  socket.write = (...args: unknown[]): boolean => {
    // Heads of requests are written as text, bodies as bytes; one request at a time is under way.
    if (typeof args[0] === 'string' && requestLine.test(args[0])) filter.begin()
    return write(...args)
  }
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk = read(size) as Buffer | null
      if (chunk === null) return null
      const kept = filter.take(chunk)
      if (kept.length > 0) return kept
    }
  }
  return socket
}
