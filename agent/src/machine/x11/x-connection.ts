import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Environment } from '../../shared/child-process.ts'
import { readXCookie, type XCookie } from './x-authority.ts'

/** Nothing these few requests are answered with is near this many bytes. */
const mostBytes = 1024 * 1024
const replyMs = 5000
const eventBytes = 32
const genericEvent = 35
const queryExtension = 98
const internAtom = 16

export interface XExtension {
  opcode: number
  firstEvent: number
}

/** `:1`, `unix:1.0` or `host:10.0` as the socket to connect to, and the display's number. */
export const parseDisplay = (display: string) => {
  const [, host, number] = /^(.*):(\d+)(?:\.\d+)?$/.exec(display) ?? []
  if (host === undefined || number === undefined) return undefined
  const local = host === '' || host === 'unix'
  return { number, address: local ? { path: `/tmp/.X11-unix/X${number}` } : { host, port: 6000 + Number(number) } }
}

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])

const hello = ({ name, data }: XCookie): Buffer => {
  const head = Buffer.alloc(12)
  head.write('l')
  head.writeUInt16LE(11, 2)
  head.writeUInt16LE(name.length, 6)
  head.writeUInt16LE(data.length, 8)
  return Buffer.concat([head, padded(Buffer.from(name)), padded(data)])
}

/** The server refuses one request, as for a window that is gone. The connection goes on. */
export class XRefusal extends Error {
  override readonly name = 'XRefusal'
}

interface Asked {
  sequence: number
  reply: PromiseWithResolvers<Buffer | undefined>
  /** Whether there is a reply when it is not refused. */
  answered: boolean
}

/**
 * A connection to an X server (X Window System Protocol, version 11): just enough of it to ask a few questions. It opens
 * no window and reads no picture and no selection.
 */
export class XConnection {
  readonly #socket: Socket
  readonly #ended = Promise.withResolvers<never>()
  readonly #asked: Asked[] = []
  #sequence = 0
  #bytes: Buffer = Buffer.alloc(0)
  #setup: PromiseWithResolvers<Buffer> | undefined = Promise.withResolvers<Buffer>()
  /** Called with each event, 32 bytes. */
  onEvent: (event: Buffer) => void = () => undefined
  /** The first screen's root window, and the first id that this connection may give to a thing of its own. */
  root = 0
  idBase = 0

  private constructor(socket: Socket) {
    this.#socket = socket
    this.#ended.promise.catch(() => undefined)
    const end = (): void => this.#ended.reject(new Error('the X server ended the connection'))
    socket.once('error', end)
    socket.once('close', end)
    socket.on('data', (chunk: Buffer) => {
      try {
        this.#take(chunk)
      } catch (error) {
        this.#ended.reject(error)
        socket.destroy()
      }
    })
  }

  /** @throws Error when no server answers, or it refuses */
  static async open(env: Environment): Promise<XConnection> {
    const display = parseDisplay(env['DISPLAY'] ?? '')
    if (!display) throw new Error('there is no X display')
    const cookie = await readXCookie(env, display.number)
    const socket = connect(display.address)
    const connection = new XConnection(socket)
    try {
      await connection.#inTime(once(socket, 'connect'))
      socket.write(hello(cookie))
      const setup = await connection.#inTime(connection.#setup!.promise)
      if (setup[0] !== 1) throw new Error('the X server refuses the connection')
      connection.idBase = setup.readUInt32LE(12)
      const vendor = Math.ceil(setup.readUInt16LE(24) / 4) * 4
      connection.root = setup.readUInt32LE(40 + vendor + 8 * setup.readUInt8(29))
      return connection
    } catch (error) {
      connection.close()
      throw error
    }
  }

  /** Rejects when the connection is gone. */
  get ended(): Promise<never> {
    return this.#ended.promise
  }

  close(): void {
    this.#socket.destroy()
  }

  /** Lets the process end while the connection is open. */
  unref(): void {
    this.#socket.unref()
  }

  /** Sends a request: opcode, the byte after it, and a body of four-byte words. */
  send(opcode: number, detail: number, body: Buffer = Buffer.alloc(0)): void {
    const head = Buffer.from([opcode, detail, 0, 0])
    const rest = padded(body)
    this.#sequence = (this.#sequence + 1) & 0xffff
    head.writeUInt16LE(1 + rest.length / 4, 2)
    this.#socket.write(Buffer.concat([head, rest]))
  }

  /** As `send`, for a request that is answered. */
  async ask(opcode: number, detail: number, body?: Buffer): Promise<Buffer> {
    const reply = await this.#inTime(this.#expect(true, opcode, detail, body))
    if (!reply) throw new Error('the X server gives no reply')
    return reply
  }

  /** As `send`, once it is known that it was done. @throws XRefusal when it was not, as for a window that is gone */
  async change(opcode: number, detail: number, body?: Buffer): Promise<void> {
    const done = this.#expect(false, opcode, detail, body)
    // Requests are taken in turn: the answer to the next one says that there is none to this one.
    await Promise.all([this.#inTime(done), this.atom('CARDINAL')])
  }

  #expect(answered: boolean, opcode: number, detail: number, body?: Buffer): Promise<Buffer | undefined> {
    const reply = Promise.withResolvers<Buffer | undefined>()
    this.send(opcode, detail, body)
    this.#asked.push({ sequence: this.#sequence, reply, answered })
    return reply.promise
  }

  async extension(name: string): Promise<XExtension> {
    const body = Buffer.concat([words16(name.length, 0), Buffer.from(name)])
    const reply = await this.ask(queryExtension, 0, body)
    if (reply[8] !== 1) throw new Error(`the X server has no ${name}`)
    return { opcode: reply.readUInt8(9), firstEvent: reply.readUInt8(10) }
  }

  async atom(name: string): Promise<number> {
    const reply = await this.ask(internAtom, 0, Buffer.concat([words16(name.length, 0), Buffer.from(name)]))
    return reply.readUInt32LE(8)
  }

  async #inTime<T>(answer: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Error('the X server gives no answer')), replyMs)
    try {
      return await Promise.race([answer, this.ended, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  #take(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk])
    if (this.#bytes.length > mostBytes) throw new Error('the X server says far more than was asked')
    for (let length = this.#nextLength(); length !== undefined; length = this.#nextLength()) {
      const message = this.#bytes.subarray(0, length)
      this.#bytes = this.#bytes.subarray(length)
      this.#dispatch(message)
    }
  }

  /** Bytes of the next message once it is complete. */
  #nextLength(): number | undefined {
    const { length } = this.#bytes
    if (length < 8) return undefined
    const kind = this.#bytes[0]
    const extra = kind === 1 || kind === genericEvent ? 4 : 0
    if (!this.#setup && length < eventBytes) return undefined
    const wanted = this.#setup
      ? 8 + 4 * this.#bytes.readUInt16LE(6)
      : eventBytes + extra * (extra ? this.#bytes.readUInt32LE(4) : 0)
    return length >= wanted ? wanted : undefined
  }

  #dispatch(message: Buffer): void {
    if (this.#setup) {
      this.#setup.resolve(message)
      this.#setup = undefined
    } else if (message[0] === 0) this.#refuse(message)
    else if (message[0] === 1) {
      this.#passOver(({ answered }) => !answered)
      this.#asked.shift()?.reply.resolve(message)
    } else this.onEvent(message)
  }

  /** Changes that the server has gone past without a word are done. */
  #passOver(silent: (asked: Asked) => boolean): void {
    for (let next = this.#asked[0]; next && silent(next); next = this.#asked[0]) {
      next.reply.resolve(undefined)
      this.#asked.shift()
    }
  }

  /** What was asked fails alone; an error about anything else is one of ours. */
  #refuse(message: Buffer): void {
    const error = new XRefusal(`the X server answers with error ${message[1]}`)
    const refused = message.readUInt16LE(2)
    this.#passOver(({ answered, sequence }) => !answered && sequence !== refused)
    if (this.#asked[0]?.sequence !== refused) throw error
    this.#asked.shift()?.reply.reject(error)
  }
}

/** Little-endian words, as requests are made of. */
export const words16 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2)
  return bytes
}
export const words32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, index * 4)
  return bytes
}
