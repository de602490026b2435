import { CodedError } from '../coded-error.ts'

export type StorageErrorCode =
  /** No finished object has this key. */
  | 'not_found'
  /** The key is taken: an object is written once and never overwritten. */
  | 'conflict'
  /** The key is not of the form that `assertObjectKey` describes. */
  | 'invalid_key'
  /** More or fewer bytes than declared. */
  | 'size_mismatch'
  /** The bytes are not the ones whose sha256 was declared. */
  | 'digest_mismatch'
  /** Some bytes of a segmented object were never written. */
  | 'incomplete'
  /** A read or write outside the object. */
  | 'out_of_range'
  /** The store did not give back what was written to it (`probe`), or answers what nobody understands. */
  | 'unusable'
  /** A store elsewhere refuses these credentials, or this much with them. */
  | 'denied'
  /** There is no bucket or container of that name, or not in that region. */
  | 'no_bucket'
  /** A store elsewhere cannot be reached, is too slow, too busy, or broke off. */
  | 'unreachable'
  /** A store elsewhere takes no more. */
  | 'full'
  /** The clocks here and there differ by too much. */
  | 'clock_skew'

export class StorageError extends CodedError<StorageErrorCode> {
  override readonly name = 'StorageError'
}

/** A stretch of an object. A hint: whoever opens may read anything else. */
export interface FirstBytes {
  readonly from: number
  readonly length: number
}

/**
 * A place for whole sealed objects. It knows nothing of what they mean. Every implementation passes `describeObjectPlace`.
 * Objects are immutable: written once under a key, read, removed. All failures named above are `StorageError`s, whose
 * words a person may read.
 */
export interface ObjectPlace {
  /**
   * Stores exactly `size` bytes. Durable when it resolves, and not visible before; when it rejects (the source threw,
   * or the size was wrong) nothing is left behind. A taken key is a `conflict`, also between two puts at once.
   * A piece belongs to the store until it asks for the next one and may be overwritten by the source from then on,
   * so a store that buffers must copy.
   */
  put(key: string, source: AsyncIterable<Uint8Array>, options: { size: number }): Promise<void>
  /** Throws `not_found`. Close what was opened. `first`: the bytes that are read first, which a provider is asked for at once. */
  open(key: string, first?: FirstBytes): Promise<ObjectReader>
  /**
   * Begins an object that arrives in parts, of more than one; absent where there is nothing to be gained by that. What
   * is never completed nor aborted is swept by `removeStaleTemporaries`, or by the provider.
   */
  beginParts?(key: string, options: { size: number }): Promise<PartsOnTheWay>
  /** Removes a finished object; that there is none is not an error. */
  remove(key: string): Promise<void>
  exists(key: string): Promise<boolean>
  /**
   * Keys of finished objects of an organisation in no order, at most `limit`. From `after` on, where a listing before
   * stopped; `next` is absent when there are no more. What is put or removed meanwhile may be in it or not.
   */
  list(orgId: string, page: { readonly limit: number; readonly after?: string | undefined }): Promise<KeyPage>
  /**
   * Removes what puts that were killed left behind, if last written before `before` (epoch milliseconds; older than any
   * put may last, because other processes may be writing). Answers how many.
   */
  removeStaleTemporaries(before: number): Promise<number>
}

export interface KeyPage {
  readonly keys: readonly string[]
  readonly next?: string
}

/** An object on its way to a place in parts of one size (the last may be smaller), in any order. */
export interface PartsOnTheWay {
  readonly partBytes: number
  /** The bytes belong to the caller again when it resolves. The place refuses bytes that were altered on their way. */
  put(index: number, bytes: Buffer): Promise<void>
  /** Durable and visible when it resolves, and not before. All parts must be there. A taken key is a `conflict`. */
  complete(): Promise<void>
  abort(): Promise<void>
}

/** A place where large objects can also arrive in pieces. Every implementation passes `describeObjectStore`. */
export interface ObjectStore extends ObjectPlace {
  /**
   * Opens the unfinished object of that key and of exactly `size` (> 0) bytes, making it when there is none.
   * Unfinished objects live apart from finished ones and outlive the process. If the object was finished already
   * (a kill between `finish` and the caller's row), the writer says so: see `SegmentWriter.finished`.
   */
  openSegmented(key: string, options: { size: number }): Promise<SegmentWriter>
  /** Writes a small object, reads it back and removes it. Throws when any of it fails. */
  probe(): Promise<void>
}

export interface ObjectReader {
  /** Bytes of the whole object. */
  readonly size: number
  /**
   * Reads `length` bytes at `offset`; fewer only where the object ends. The result is a view of `into` when that is
   * given (at least `length` long), else a new buffer.
   */
  read(offset: number, length: number, into?: Buffer): Promise<Buffer>
  close(): Promise<void>
}

/**
 * An object written in pieces, in any order, across restarts. Bytes never written read as zero.
 * `finish` must not run while another writer of the same key is still writing; the caller's row decides who may.
 */
export interface SegmentWriter extends ObjectReader {
  /** True when the object lies finished in its place: it can be read, `finish` is a no-op, `writeAt` a conflict. */
  readonly finished: boolean
  /**
   * True only when it is certain that nobody, in any process, ever wrote a byte of these: reading them gives zeros. A
   * writer opened again after some were written answers false for all of them.
   */
  isUntouched(offset: number, length: number): Promise<boolean>
  /**
   * Writes the buffers one after the other from `offset`; they belong to the caller again when it resolves, which may
   * take as long as the disk does. Several may run side by side. Not durable before `sync`.
   */
  writeAt(offset: number, buffers: readonly Uint8Array[]): Promise<void>
  /**
   * Resolves when all bytes whose `writeAt` has resolved are durable, and remembered as written by whoever opens the
   * object after this process. A power cut may lose the memory, though never the bytes: see `confirm`.
   */
  sync(): Promise<void>
  /** The caller has read the object through this writer and knows every byte for what was written: none is missing. */
  confirm(): void
  /** Moves the object into its place, durably, and closes. Throws `incomplete` if some bytes were never written. */
  finish(): Promise<void>
  /** Deletes the unfinished object and closes. A finished one stays. */
  discard(): Promise<void>
  /** Lets go of the files; the unfinished object stays and can be opened again. */
  close(): Promise<void>
}

const keyPattern = /^[A-Za-z0-9][A-Za-z0-9_-]*(?:\/[A-Za-z0-9][A-Za-z0-9_-]*){1,3}$/
const maxKeyCharacters = 200

/**
 * A key is 2 to 4 segments of letters, digits, `_` and `-`, joined by `/`, the first naming the organisation
 * (`org_…/evd_…`). No dots, so no path can be made of one. Keys must not differ in case alone: some file systems take
 * them for one (and then refuse the second, as a `conflict`). Throws `invalid_key`.
 */
export const assertObjectKey = (key: string): void => {
  if (key.length > maxKeyCharacters || !keyPattern.test(key)) {
    throw new StorageError('invalid_key', 'not an object key')
  }
}
