import type { Readable } from 'node:stream'
import type { Pulse } from '../../pulse.ts'

/** `taken`: the name holds an object. `unconditional`: the service knows no such condition, and stored nothing. */
export type PutOutcome = 'stored' | 'taken' | 'unconditional'

export interface PutOptions {
  /** Kept with the object, so that a writer whose answer was lost knows its own bytes again. */
  readonly putId: string
  /** Only if the name is free. */
  readonly exclusive: boolean
}

/** An object that arrives in parts of one size (the last may be smaller), each as often as need be. */
export interface PartsUpload {
  put(index: number, bytes: Buffer): Promise<void>
  complete(exclusive: boolean): Promise<PutOutcome>
  abort(): Promise<void>
}

/**
 * The calls of one provider over HTTP: a bucket or a container. Names are whole, prefix and all. Each call tries again by
 * itself where that may help, and rejects with `StorageError`.
 */
export interface Bucket {
  /** By which those who read on in a body of `get` learn that nobody is there. */
  readonly pulse: Pulse | undefined
  /** Whether the provider answers anything at all, asked once and on a connection of its own. */
  answers(signal: AbortSignal): Promise<boolean>
  /** Bytes from `start` up to, not including, `end` or the object's end. Throws `not_found`. */
  get(name: string, range: { start: number; end: number }): Promise<{ total: number; body: Readable }>
  head(name: string): Promise<{ size: number; putId: string | undefined } | undefined>
  put(name: string, bytes: Buffer, options: PutOptions): Promise<PutOutcome>
  begin(name: string, putId: string): Promise<PartsUpload>
  /** That there is none is not an error. */
  remove(name: string): Promise<void>
  list(prefix: string, page: { limit: number; after?: string | undefined }): Promise<{ names: string[]; next?: string }>
  /** Aborts unfinished objects begun before that time. Answers how many. */
  abortStale(prefix: string, before: number): Promise<number>
}
