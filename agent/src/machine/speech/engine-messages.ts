import { bytesPerMs } from '../../core/capture/pcm.ts'
import type { EngineListener, EngineProcess } from './engine-process.ts'

/** The near end of a channel of messages: what a worker thread and a utility process of Electron both offer. */
export interface EnginePeer {
  readonly pid: number | undefined
  postMessage(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  onExit(listener: (code: number) => void): void
  kill(): void
}

/** The far end. Electron wraps what it is sent in an event with `data`. */
export interface EnginePort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (message: unknown) => void): unknown
  off(event: 'message', listener: (message: unknown) => void): unknown
}

interface FromEngine {
  readonly line?: string
  readonly taken?: number
}

/** Messages have no pipe that fills up: sound that was not said to be taken counts as in it. 2 s. */
const roomBytes = 2000 * bytesPerMs
const last = 'end'

/** An engine that is reached by messages instead of pipes. */
export const engineOverMessages = (peer: EnginePeer, { onLine, onRoom }: EngineListener): EngineProcess => {
  const { promise, resolve } = Promise.withResolvers<number>()
  let written = 0
  let taken = 0
  let finishing = false
  const isFull = (): boolean => written - taken >= roomBytes
  peer.onMessage((message) => {
    const said = message as FromEngine
    if (said.line !== undefined) onLine(said.line)
    if (said.taken === undefined) return
    const wasFull = isFull()
    taken += said.taken
    if (wasFull && !isFull()) onRoom()
  })
  peer.onExit(resolve)
  return {
    pid: peer.pid,
    write: (pcm) => {
      written += pcm.length
      peer.postMessage(new Uint8Array(pcm))
      return !isFull()
    },
    handedMs: () => taken / bytesPerMs,
    end: () => {
      finishing = true
      peer.postMessage(last)
    },
    kill: () => peer.kill(),
    ended: promise.then((code) => ({
      complete: finishing && code === 0 && taken === written,
      why: `exit code ${code}`,
    })),
  }
}

/** Gives each piece of sound to `accept` and says that it was taken; resolves at the end of the sound. */
export const serveMessages = (port: EnginePort, accept: (pcm: Buffer) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const take = (message: unknown): void => {
      const wrapped = message as { data?: unknown }
      const content = message instanceof Uint8Array || message === last ? message : wrapped.data
      try {
        if (content instanceof Uint8Array) {
          accept(Buffer.from(content))
          port.postMessage({ taken: content.length })
          return
        }
        port.off('message', take)
        resolve()
      } catch (error) {
        port.off('message', take)
        reject(error)
      }
    }
    port.on('message', take)
  })
