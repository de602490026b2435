import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb'
import {
  type Film,
  type Memory,
  type QueueCounts,
  type QueuedItem,
  type QueueLane,
  type QueuePort,
  StorageFull,
} from '../session/queue.port.ts'

type Row = QueuedItem & { seq?: number; lane: QueueLane }
interface Schema extends DBSchema {
  items: { key: number; value: Row; indexes: { lane: QueueLane; clientId: string } }
  films: { key: string; value: Film & { durationMs: number } }
  chunks: { key: number; value: { filmId: string; bytes: ArrayBuffer }; indexes: { filmId: string } }
  kept: { key: 'memory'; value: Memory }
  tallies: { key: 'dropped'; value: number }
}
type Writing = IDBPTransaction<Schema, ('items' | 'films' | 'chunks' | 'tallies')[], 'readwrite'>

/** Space for clips that wait; beyond it the oldest are left out, and counted. Bytes. */
const mostClipBytes = 256 * 1024 * 1024

const laneOf = ({ kind }: QueuedItem): QueueLane => (kind === 'beat' ? 'beats' : 'files')
const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError'

/** Leaves the oldest clips out until there is room for so many bytes. The photo is not a clip and stays. */
const makeRoom = async (tx: Writing, limit: number): Promise<void> => {
  const items = tx.objectStore('items')
  const clips = (await items.index('lane').getAll('files')).filter((row) => row.kind === 'clip')
  let bytes = clips.reduce((sum, { bytes: { byteLength } }) => sum + byteLength, 0)
  let dropped = 0
  for (const clip of clips) {
    if (bytes <= limit || dropped === clips.length - 1) break
    bytes -= clip.bytes.byteLength
    dropped += 1
    await items.delete(clip.seq!)
  }
  const tallies = tx.objectStore('tallies')
  if (dropped > 0) await tallies.put(((await tallies.get('dropped')) ?? 0) + dropped, 'dropped')
}

const add = async (tx: Writing, item: QueuedItem): Promise<void> => {
  const items = tx.objectStore('items')
  if ((await items.index('clientId').getKey(item.clientId)) === undefined)
    await items.add({ ...item, lane: laneOf(item) })
}

class IndexedQueue implements QueuePort {
  readonly #db: IDBPDatabase<Schema>
  readonly #limit: number

  constructor(db: IDBPDatabase<Schema>, limit: number) {
    this.#db = db
    this.#limit = limit
  }

  async put(item: QueuedItem): Promise<void> {
    await this.#write((tx) => add(tx, item))
  }

  async oldest(lane: QueueLane, limit: number): Promise<QueuedItem[]> {
    return this.#db.getAllFromIndex('items', 'lane', lane, limit)
  }

  async settle(items: readonly QueuedItem[]): Promise<void> {
    await this.#write(async (tx) => {
      const store = tx.objectStore('items')
      for (const { clientId } of items) {
        const key = await store.index('clientId').getKey(clientId)
        if (key !== undefined) await store.delete(key)
      }
    })
  }

  async counts(): Promise<QueueCounts> {
    const [beats, files, dropped] = await Promise.all([
      this.#db.countFromIndex('items', 'lane', 'beats'),
      this.#db.countFromIndex('items', 'lane', 'files'),
      this.#db.get('tallies', 'dropped'),
    ])
    return { beats, files, dropped: dropped ?? 0 }
  }

  async beginFilm(film: Film): Promise<void> {
    await this.#write(async (tx) => void (await tx.objectStore('films').put({ ...film, durationMs: 0 })))
  }

  async addSmall(filmId: string, small: string): Promise<void> {
    await this.#write(async (tx) => {
      const film = await tx.objectStore('films').get(filmId)
      if (film) await tx.objectStore('films').put({ ...film, small })
    })
  }

  async addChunk(filmId: string, bytes: ArrayBuffer, durationMs: number): Promise<void> {
    await this.#write(async (tx) => {
      const film = await tx.objectStore('films').get(filmId)
      // Its clip was made already: a chunk that comes after it has no place.
      if (!film) return
      await tx.objectStore('chunks').add({ filmId, bytes })
      await tx.objectStore('films').put({ ...film, durationMs })
    })
  }

  async endFilm(filmId: string): Promise<void> {
    await this.#write(async (tx) => {
      const film = await tx.objectStore('films').get(filmId)
      const chunks = tx.objectStore('chunks')
      const rows = await chunks.index('filmId').getAll(filmId)
      const keys = await chunks.index('filmId').getAllKeys(filmId)
      await tx.objectStore('films').delete(filmId)
      for (const key of keys) await chunks.delete(key)
      const bytes = joined(rows.map((row) => row.bytes))
      if (!film || bytes.byteLength === 0) return
      await add(tx, { ...film, kind: 'clip', durationMs: Math.max(1, Math.round(film.durationMs)), bytes })
      await makeRoom(tx, this.#limit)
    })
  }

  async recover(): Promise<void> {
    for (const filmId of await this.#db.getAllKeys('films')) await this.endFilm(filmId)
  }

  async recall(): Promise<Memory> {
    return (await this.#db.get('kept', 'memory')) ?? {}
  }

  async remember(memory: Memory): Promise<void> {
    await this.#db.put('kept', memory, 'memory')
  }

  async clear(): Promise<void> {
    const names = ['items', 'films', 'chunks', 'kept', 'tallies'] as const
    const tx = this.#db.transaction(names, 'readwrite', { durability: 'strict' })
    await Promise.all(names.map((name) => tx.objectStore(name).clear()))
    await tx.done
  }

  /** One transaction, on the disk before it resolves. A write that finds no room makes some and tries once more. */
  async #write(work: (tx: Writing) => Promise<void>): Promise<void> {
    try {
      await this.#once(work)
    } catch (error) {
      if (!isFull(error)) throw error
      await this.#once((tx) => makeRoom(tx, 0))
      await this.#once(work).catch((again: unknown) => {
        throw isFull(again) ? new StorageFull('no room', { cause: again }) : again
      })
    }
  }

  async #once(work: (tx: Writing) => Promise<void>): Promise<void> {
    const names: ('items' | 'films' | 'chunks' | 'tallies')[] = ['items', 'films', 'chunks', 'tallies']
    const tx = this.#db.transaction(names, 'readwrite', { durability: 'strict' })
    const done = tx.done.catch((error: unknown) => Promise.reject(error as Error))
    // The failure of the work itself is the one that is told.
    done.catch(() => undefined)
    await work(tx)
    await done
  }
}

const joined = (pieces: readonly ArrayBuffer[]): ArrayBuffer => {
  const whole = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(new Uint8Array(piece), at)
    at += piece.byteLength
  }
  return whole.buffer
}

/** Opens the queue of this browser. Throws when the browser keeps nothing for this page. */
export const openIndexedQueue = async (name = 'companion', limit = mostClipBytes): Promise<QueuePort> => {
  const db = await openDB<Schema>(name, 1, {
    upgrade(fresh) {
      const items = fresh.createObjectStore('items', { keyPath: 'seq', autoIncrement: true })
      items.createIndex('lane', 'lane')
      items.createIndex('clientId', 'clientId', { unique: true })
      fresh.createObjectStore('films', { keyPath: 'clientId' })
      const chunks = fresh.createObjectStore('chunks', { autoIncrement: true })
      chunks.createIndex('filmId', 'filmId')
      fresh.createObjectStore('kept')
      fresh.createObjectStore('tallies')
    },
  })
  return new IndexedQueue(db, limit)
}
