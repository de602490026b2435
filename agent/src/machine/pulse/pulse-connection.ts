import { connect, type Socket } from 'node:net'
import type { Environment } from '../../shared/child-process.ts'
import { findPulseSocket, readPulseCookie } from './pulse-address.ts'
import { bytes, properties, TagReader, u32 } from './tagstruct.ts'

/** Commands of the native protocol (`src/pulsecore/native-common.h` of PulseAudio). */
export const PulseCommand = {
  error: 0,
  reply: 2,
  createRecordStream: 5,
  auth: 8,
  setClientName: 9,
  getServerInfo: 20,
  getSinkInfo: 21,
  getSourceInfoList: 24,
  getSourceOutputInfo: 31,
  getSourceOutputInfoList: 32,
  subscribe: 35,
  recordStreamKilled: 65,
  subscribeEvent: 66,
  recordStreamMoved: 79,
} as const

/** By which our own connections are known to the sound server. */
export const ourApplicationId = 'integrity-agent'

/** The version of PulseAudio 4, from which on messages have the shape that is written here. */
const leastVersion = 28
const ourVersion = 32
const headerBytes = 20
const controlChannel = 0xffff_ffff
/** Nothing a server sends is near this long. */
const mostBytes = 4 * 1024 * 1024
const replyMs = 5000
/** Two seconds of our sound; more is read in several goes. */
const readBytes = 64 * 1024

/** The server refuses a request. `code`: `PA_ERR_…` of PulseAudio's `def.h`. */
export class PulseRefusal extends Error {
  readonly code: number
  constructor(code: number) {
    super(`the sound server refuses (${code})`)
    this.name = 'PulseRefusal'
    this.code = code
  }
}

const framed = (payload: Buffer): Buffer => {
  const head = Buffer.alloc(headerBytes)
  head.writeUInt32BE(payload.length, 0)
  head.writeUInt32BE(controlChannel, 4)
  return Buffer.concat([head, payload])
}

export interface PulseConnectionOptions {
  /** Reads only while an answer is awaited and when `read` is called; what comes meanwhile waits in the socket. */
  patient?: boolean
}

/**
 * A connection to PulseAudio, or to PipeWire in its place, by the native protocol over this user's socket. Sound comes
 * through the socket itself; no memory is shared.
 */
export class PulseConnection {
  readonly #socket: Socket
  readonly #patient: boolean
  readonly #asked = new Map<number, PromiseWithResolvers<TagReader>>()
  readonly #ended = Promise.withResolvers<string>()
  #rest: Buffer = Buffer.alloc(0)
  #lastTag = 0
  /** Told of a message that nobody asked for. */
  onMessage: (command: number, message: TagReader) => void = () => undefined
  /** Told of sound; the bytes are overwritten after the call. */
  onSound: (channel: number, sound: Buffer) => void = () => undefined
  /** Told when all that had come is read. */
  onRead: () => void = () => undefined

  private constructor(path: string, patient: boolean) {
    this.#patient = patient
    const callback = (count: number, buffer: Uint8Array): boolean => {
      this.#take(Buffer.from(buffer.buffer, buffer.byteOffset, count))
      return !this.#patient || this.#asked.size > 0 || count === buffer.length
    }
    this.#socket = connect({ path, onread: { buffer: Buffer.alloc(readBytes), callback } })
    this.#socket.once('error', (error) => this.#end(error.message))
    this.#socket.once('close', () => this.#end('the sound server ended the connection'))
  }

  /** @throws Error when there is no server, or it refuses us */
  static async open(env: Environment, { patient = false }: PulseConnectionOptions = {}): Promise<PulseConnection> {
    const path = findPulseSocket(env)
    if (path === undefined) throw new Error('no sound server has a socket here')
    const cookie = await readPulseCookie(env)
    const connection = new PulseConnection(path, patient)
    try {
      const answer = await connection.ask(PulseCommand.auth, u32(ourVersion), bytes(cookie))
      // The upper half tells what the server could share, which we do not.
      const version = answer.number() & 0xffff
      if (version < leastVersion) throw new Error('the sound server is too old')
      const application = { 'application.name': 'Integrity agent', 'application.id': ourApplicationId }
      await connection.ask(PulseCommand.setClientName, properties(application))
      return connection
    } catch (error) {
      connection.close()
      throw error
    }
  }

  /** Resolves, with the reason, when the connection is gone. */
  get ended(): Promise<string> {
    return this.#ended.promise
  }

  /** Sends a request and gives its answer. @throws PulseRefusal; Error when no answer comes */
  async ask(command: number, ...fields: Buffer[]): Promise<TagReader> {
    this.#lastTag += 1
    const tag = this.#lastTag
    const answer = Promise.withResolvers<TagReader>()
    const late = setTimeout(() => answer.reject(new Error('the sound server gives no answer')), replyMs)
    this.#asked.set(tag, answer)
    this.#socket.write(framed(Buffer.concat([u32(command), u32(tag), ...fields])))
    this.read()
    try {
      return await answer.promise
    } finally {
      clearTimeout(late)
      this.#asked.delete(tag)
    }
  }

  /** Reads what has come. */
  read(): void {
    if (!this.#socket.destroyed) this.#socket.resume()
  }

  close(): void {
    this.#socket.destroy()
    this.#end('closed')
  }

  #end(why: string): void {
    this.#ended.resolve(why)
    for (const { reject } of this.#asked.values()) reject(new Error(why))
  }

  #take(chunk: Buffer): void {
    try {
      let from = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
      while (from.length >= headerBytes) {
        const length = from.readUInt32BE(0)
        if (length > mostBytes) throw new Error('the sound server says far more than was asked')
        if (from.length < headerBytes + length) break
        this.#dispatch(from.readUInt32BE(4), from.subarray(headerBytes, headerBytes + length))
        from = from.subarray(headerBytes + length)
      }
      this.#rest = from.length > 0 ? Buffer.from(from) : from
      this.onRead()
    } catch (error) {
      this.#end(error instanceof Error ? error.message : String(error))
      this.#socket.destroy()
    }
  }

  #dispatch(channel: number, payload: Buffer): void {
    if (channel !== controlChannel) {
      this.onSound(channel, payload)
      return
    }
    // What is read later must not be in the buffer that is read into next.
    const message = new TagReader(Buffer.from(payload))
    const command = message.number()
    const tag = message.number()
    if (command === PulseCommand.reply) this.#asked.get(tag)?.resolve(message)
    else if (command === PulseCommand.error) this.#asked.get(tag)?.reject(new PulseRefusal(message.number()))
    else this.onMessage(command, message)
  }
}
