import { createTurns } from '../turns.ts'
import { BufferPool } from './buffer-pool.ts'
import { HeadStart, type HeadStartShare } from './head-start.ts'
import type { LocalStore } from './local.store.ts'
import { copyObject } from './move-object.ts'
import { partsAtOnce, usualPartBytes } from './part-bytes.ts'
import { readSliceKey, SliceReader } from './slice-key.ts'
import { StagedSegment } from './staged.segment.ts'
import {
  assertObjectKey,
  type FirstBytes,
  type KeyPage,
  type ObjectPlace,
  type ObjectReader,
  type ObjectStore,
  type SegmentWriter,
  StorageError,
} from './types.ts'

/** Where the objects of one organisation may lie. */
export interface OrgPlaces {
  /** Where new ones go. */
  readonly current: ObjectPlace
  /** Where older ones may still lie, the likeliest first. */
  readonly others: readonly ObjectPlace[]
  /** Objects may be on their way from one to another at this moment. */
  readonly moving: boolean
}

export interface OrgStoreParts {
  readonly local: LocalStore
  /** Undefined for an organisation that never had another place than `local`. `fresh`: not what was remembered. */
  readonly placesOf: (orgId: string, fresh: boolean) => Promise<OrgPlaces | undefined>
  /** Remembers that an object goes, for whoever may be copying it right now. */
  readonly noteRemoval: (orgId: string, key: string) => Promise<void>
}

const isMiss = (error: unknown): boolean => error instanceof StorageError && error.code === 'not_found'
const orgOf = (key: string): string => {
  assertObjectKey(key)
  return key.slice(0, key.indexOf('/'))
}
const stagedKey = (key: string): string => key.replace('/', '/staged/')

/**
 * The one store that the service uses. A key's first segment names its organisation, and so the place where its objects
 * go; what is asked for is found wherever it lies, also while it is moved. Large objects arrive on the local disk,
 * sealed, and go to their place when they are whole.
 */
export class OrgStore implements ObjectStore {
  readonly #parts: OrgStoreParts
  /** Memory for a few parts on their way, whatever the number of uploads. */
  readonly #share: HeadStartShare = {
    turns: createTurns({
      parallel: partsAtOnce,
      waitingOfOwner: Number.POSITIVE_INFINITY,
      waiting: Number.POSITIVE_INFINITY,
      refuse: () => new StorageError('unreachable', 'too much is waiting'),
    }),
    buffers: new BufferPool(usualPartBytes, partsAtOnce),
  }

  constructor(parts: OrgStoreParts) {
    this.#parts = parts
  }

  async put(key: string, source: AsyncIterable<Uint8Array>, options: { size: number }): Promise<void> {
    const places = await this.#parts.placesOf(orgOf(key), false)
    await (places?.current ?? this.#parts.local).put(key, source, options)
  }

  /** Of a slice's key: a reader of that stretch of its object. */
  async open(key: string, first?: FirstBytes): Promise<ObjectReader> {
    const slice = readSliceKey(key)
    if (slice) return new SliceReader(await this.open(slice.key, slice), slice)
    const places = await this.#parts.placesOf(orgOf(key), false)
    if (!places) return this.#parts.local.open(key)
    return new FollowingReader(await this.#find(key, first), () => this.#find(key))
  }

  async exists(key: string): Promise<boolean> {
    const places = await this.#parts.placesOf(orgOf(key), false)
    if (!places) return this.#parts.local.exists(key)
    const reader = await this.#find(key).catch((error: unknown) => {
      if (isMiss(error)) return undefined
      throw error
    })
    await reader?.close()
    return reader !== undefined
  }

  /** From everywhere, where new ones go last: what is copied meanwhile is not missed. */
  async remove(key: string): Promise<void> {
    const orgId = orgOf(key)
    const places = await this.#parts.placesOf(orgId, true)
    if (!places) return this.#parts.local.remove(key)
    if (places.moving) await this.#parts.noteRemoval(orgId, key)
    for (const place of [...places.others, places.current]) await place.remove(key)
    await this.#parts.local.remove(stagedKey(key))
  }

  async list(orgId: string, page: { limit: number; after?: string | undefined }): Promise<KeyPage> {
    const places = await this.#parts.placesOf(orgId, true)
    return (places?.current ?? this.#parts.local).list(orgId, page)
  }

  async openSegmented(key: string, options: { size: number }): Promise<SegmentWriter> {
    const { local, placesOf } = this.#parts
    const places = await placesOf(orgOf(key), true)
    // An upload stays where it was begun, whatever place is chosen meanwhile.
    if (!places || (await local.isBegun(key)) || (await local.exists(key))) return local.openSegmented(key, options)
    const finished = await this.#find(key).catch((error: unknown) => {
      if (isMiss(error)) return undefined
      throw error
    })
    const staged = stagedKey(key)
    if (finished) {
      // What a process left that was killed once the object had its name.
      const tidy = () => local.remove(staged)
      return finishedElsewhere(key, finished, { ...options, tidy })
    }
    if (places.current === local && !(await local.isBegun(staged)) && !(await local.exists(staged)))
      return local.openSegmented(key, options)
    const headStart = this.#headStart(key, options, places.current)
    return new StagedSegment(await local.openSegmented(staged, options), {
      headStart,
      publish: () => this.#publish(key, headStart),
      discard: () => local.remove(staged),
    })
  }

  probe(): Promise<void> {
    return this.#parts.local.probe()
  }

  removeStaleTemporaries(before: number): Promise<number> {
    return this.#parts.local.removeStaleTemporaries(before)
  }

  /** Twice, the second time where the objects are said to lie by now: a first look may pass one that is just moved. */
  async #find(key: string, first?: FirstBytes): Promise<ObjectReader> {
    let miss: unknown
    for (const fresh of [false, true]) {
      const places = await this.#parts.placesOf(orgOf(key), fresh)
      for (const place of places ? [places.current, ...places.others] : [this.#parts.local]) {
        try {
          return await place.open(key, first)
        } catch (error) {
          if (!isMiss(error)) throw error
          miss = error
        }
      }
    }
    throw miss
  }

  /** Only where an object goes up in more than one part: of others nothing could be sent before they are whole. */
  #headStart(key: string, { size }: { size: number }, place: ObjectPlace): HeadStart | undefined {
    if (!place.beginParts || size <= usualPartBytes) return undefined
    const begin = () => place.beginParts?.(key, { size }) ?? Promise.reject(new Error('it takes no parts'))
    return new HeadStart({ ...this.#share, owner: orgOf(key), size, begin })
  }

  /** A large object that is whole goes to its place. What has no head start goes where new ones go by now. */
  async #publish(key: string, headStart: HeadStart | undefined): Promise<void> {
    const { local, placesOf } = this.#parts
    const staged = stagedKey(key)
    if (!(await this.#completed(staged, headStart))) {
      const places = await placesOf(orgOf(key), true)
      try {
        await copyObject(key, renamed(local, staged), places?.current ?? local)
      } catch (error) {
        if (!(error instanceof StorageError) || error.code !== 'digest_mismatch') throw error
        await local.remove(staged)
        throw new StorageError('conflict', `${key} is there already`, { cause: error })
      }
    }
    await local.remove(staged)
  }

  async #completed(staged: string, headStart: HeadStart | undefined): Promise<boolean> {
    if (!headStart) return false
    const whole = await this.#parts.local.open(staged)
    try {
      return await headStart.finish(whole)
    } catch (error) {
      // Brought there before; whether these very bytes is looked at when it is copied.
      if (error instanceof StorageError && error.code === 'conflict') return false
      throw error
    } finally {
      await whole.close()
    }
  }
}

/** One object of a place under the name that it will have. */
const renamed = (place: ObjectPlace, name: string): ObjectPlace => ({
  put: (_, source, options) => place.put(name, source, options),
  open: () => place.open(name),
  remove: () => place.remove(name),
  exists: () => place.exists(name),
  list: (...page) => place.list(...page),
  removeStaleTemporaries: (before) => place.removeStaleTemporaries(before),
})

/** Goes on in another place when the object was moved away under the reader. */
class FollowingReader implements ObjectReader {
  #reader: ObjectReader
  readonly #find: () => Promise<ObjectReader>
  readonly size: number

  constructor(reader: ObjectReader, find: () => Promise<ObjectReader>) {
    this.#reader = reader
    this.#find = find
    this.size = reader.size
  }

  async read(offset: number, length: number, into?: Buffer): Promise<Buffer> {
    try {
      return await this.#reader.read(offset, length, into)
    } catch (error) {
      if (!isMiss(error)) throw error
      await this.#reader.close()
      this.#reader = await this.#find()
      return this.#reader.read(offset, length, into)
    }
  }

  close(): Promise<void> {
    return this.#reader.close()
  }
}

const finishedElsewhere = async (
  key: string,
  reader: ObjectReader,
  { size, tidy }: { readonly size: number; readonly tidy: () => Promise<void> },
): Promise<SegmentWriter> => {
  if (reader.size !== size) {
    await reader.close()
    throw new StorageError('conflict', `${key} is there with another size`)
  }
  const refuse = () => Promise.reject(new StorageError('conflict', `${key} is finished`))
  const close = () => reader.close()
  const end = async () => {
    await close()
    await tidy()
  }
  return {
    size,
    finished: true,
    read: (...range) => reader.read(...range),
    isUntouched: () => Promise.resolve(false),
    writeAt: refuse,
    sync: () => Promise.resolve(),
    confirm: () => undefined,
    finish: end,
    discard: end,
    close,
  }
}
