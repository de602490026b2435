import type { IncomingMessage } from 'node:http'
import { ServiceError } from '@integrity/protocol'
import type { Limits } from '../../kernel/config.ts'
import { releaseMemory } from '../../platform/release-memory.ts'

/** What is announced is not yet there: only so much is set aside for it before it comes. */
const announcedBytes = 65_536

export const tooLarge = (limit: number) =>
  new ServiceError('invalid_request', `the body is larger than ${limit} bytes`, {
    status: 413,
    headers: { Connection: 'close' },
  })
const tooSlow = () =>
  new ServiceError('invalid_request', 'the body came too slowly', { status: 408, headers: { Connection: 'close' } })
/** Gives the buffer a body is read into, at least as long as asked. */
export type MakeBuffer = (length: number) => Buffer
const fresh: MakeBuffer = (length) => Buffer.allocUnsafe(length)

/** How slowly a body may come: so many bytes a second, looked at so often. */
export type Pace = Pick<Limits, 'bodyBytesPerSecond' | 'bodySeconds'>

/** Node takes a longer one for one of a millisecond. */
const longestTimerMs = 2 ** 31 - 1

/** Looks whether a body goes on arriving. Returns how to stop. */
const watchPace = (pace: Pace, arrived: () => number, onSlow: () => void) => {
  const least = pace.bodyBytesPerSecond * pace.bodySeconds
  let before = 0
  const look = () => {
    if (arrived() - before < least) onSlow()
    before = arrived()
  }
  // After what the sockets hold is read: where this process stood still, it has come, and the sender was not slow.
  const timer = setInterval(() => setImmediate(look), Math.min(pace.bodySeconds * 1000, longestTimerMs)).unref()
  return () => clearInterval(timer)
}

/** How a body is read: at most so much, how slowly, into which buffer, and who sees the pieces as they come. */
export interface Reading {
  readonly limit: number
  readonly pace: Pace
  /** Asked once the first piece is there. */
  readonly into?: MakeBuffer | undefined
  /** Must not keep the piece. */
  readonly onChunk?: (chunk: Buffer) => void
}

/**
 * The whole body in one buffer: when its length is announced and there is a buffer for it, it is read straight into place.
 * A body that breaks off is nobody's request; it throws like any other broken input.
 */
export const readBody = (request: IncomingMessage, { limit, pace, into, onChunk }: Reading): Promise<Buffer> => {
  const announced = Number(request.headers['content-length'])
  if (announced > limit) return Promise.reject(tooLarge(limit))
  if (request.headers['content-encoding'] && request.headers['content-encoding'] !== 'identity')
    return Promise.reject(
      new ServiceError('invalid_request', 'send the body without Content-Encoding', { status: 415 }),
    )
  const make = into ?? (announced <= announcedBytes ? fresh : undefined)
  let whole: Buffer | undefined
  const chunks: Buffer[] = []
  let length = 0
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const take = (chunk: Buffer) => {
    // Whatever still comes is dropped.
    if (length + chunk.length > limit) return fail(tooLarge(limit))
    if (length === 0 && make && Number.isSafeInteger(announced)) whole = make(announced)
    const at = length
    length += chunk.length
    onChunk?.(chunk)
    if (whole) {
      chunk.copy(whole, at)
      releaseMemory(chunk)
    } else chunks.push(chunk)
  }
  const stop = watchPace(
    pace,
    () => length,
    () => fail(tooSlow()),
  )
  const fail = (error: Error) => {
    request.off('data', take)
    reject(error)
  }
  request.on('data', take)
  request.on('end', () => resolve(whole ? whole.subarray(0, length) : Buffer.concat(chunks)))
  request.on('aborted', () =>
    fail(new ServiceError('invalid_request', 'the connection closed before the whole body had arrived')),
  )
  request.on('error', fail)
  return promise.finally(stop)
}

/** How long the rest of a body that nobody reads may take to come, for a client that reads its answer only then. */
const restMs = 10_000
/** The same for one that announced no more bytes than these: a picture of 9 MB takes a phone a minute. */
const announcedRest = { bytes: 64 * 1024 * 1024, restMs: 60_000 }

/** Bounds what still comes of a request that has been answered before its end. */
export const boundRest = (request: IncomingMessage): void => {
  if (request.complete) return
  const isSmall = Number(request.headers['content-length']) <= announcedRest.bytes
  const timer = setTimeout(() => request.socket.destroy(), isSmall ? announcedRest.restMs : restMs).unref()
  request.once('close', () => clearTimeout(timer))
}
