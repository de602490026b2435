import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { noTally, type Progress, type Still, type Tally } from './room.types.ts'

interface Row extends Still {
  /** Order of arrival; IndexedDB counts it up. */
  readonly seq?: number
  /** Epoch milliseconds of this browser, for clearing up what nobody came back for. */
  readonly keptAt: number
}
interface Schema extends DBSchema {
  stills: { key: number; value: Row; indexes: { session: string; clientId: string } }
  tallies: { key: string; value: Tally & { sessionId: string } }
}

/** How much one session may keep waiting here. */
export interface QueueLimits {
  readonly maxStills: number
  readonly maxBytes: number
}
/** Eight hours at one picture every 15 s, or a tenth of what browsers usually give a site. */
export const defaultLimits: QueueLimits = { maxStills: 2_000, maxBytes: 128 * 1024 * 1024 }

const abandonedMs = 24 * 3_600_000

/** Pictures on their way, on disk: what was put survives a reload, a crash and a lost network. */
export interface StillsQueue {
  /** Resolves when the picture is durable. A clientId that is here already changes nothing. */
  put(still: Still): Promise<void>
  oldest(sessionId: string, limit: number): Promise<Still[]>
  /** The service has it, or will never take it. */
  settle(still: Still, outcome: 'sent' | 'refused'): Promise<void>
  progress(sessionId: string): Promise<Progress>
  /** Forgets everything of a session; answers how many pictures were still waiting. */
  purge(sessionId: string): Promise<number>
  close(): void
}

const stores = ['stills', 'tallies'] as const
// Strict: a power cut after `put` may not take the picture with it.
const begin = (db: IDBPDatabase<Schema>) => db.transaction(stores, 'readwrite', { durability: 'strict' })
type WriteTx = ReturnType<typeof begin>

const count = async (tx: WriteTx, sessionId: string, change: Partial<Tally>): Promise<void> => {
  const tallies = tx.objectStore('tallies')
  const { sent, thinned, refused } = (await tallies.get(sessionId)) ?? noTally
  await tallies.put({
    sessionId,
    sent: sent + (change.sent ?? 0),
    thinned: thinned + (change.thinned ?? 0),
    refused: refused + (change.refused ?? 0),
  })
}

/**
 * Makes room by dropping every second picture of the older half, again and again: what remains still covers the whole
 * time, more thinly the longer ago. The newest is never dropped.
 */
const thin = async (tx: WriteTx, sessionId: string, limits: QueueLimits): Promise<void> => {
  const stills = tx.objectStore('stills')
  let keys = await stills.index('session').getAllKeys(sessionId)
  const sizes = new Map<number, number>()
  // Sizes are looked up only once there may be too much: reading the bytes of a long queue at each put would be slow.
  for (const key of keys) sizes.set(key, (await stills.get(key))?.bytes.byteLength ?? 0)
  const bytes = () => keys.reduce((sum, key) => sum + (sizes.get(key) ?? 0), 0)
  let thinned = 0
  while (keys.length > 1 && (keys.length > limits.maxStills || bytes() > limits.maxBytes)) {
    const half = Math.max(2, Math.ceil(keys.length / 2))
    const dropped = keys.filter((_key, index) => index < half && index % 2 === 0 && index < keys.length - 1)
    for (const key of dropped) await stills.delete(key)
    thinned += dropped.length
    keys = keys.filter((key) => !dropped.includes(key))
  }
  if (thinned > 0) await count(tx, sessionId, { thinned })
}

const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError'

class IndexedQueue implements StillsQueue {
  readonly #db: IDBPDatabase<Schema>
  readonly #limits: QueueLimits
  readonly #now: () => number
  // Bytes of each session, so that a put need not add them up; unknown until the first one.
  readonly #held = new Map<string, number>()

  constructor(db: IDBPDatabase<Schema>, limits: QueueLimits, now: () => number) {
    this.#db = db
    this.#limits = limits
    this.#now = now
  }

  async put(still: Still): Promise<void> {
    try {
      await this.#store(still)
    } catch (error) {
      if (!isFull(error)) throw error
      // The disk gives less than we allow ourselves: half of what is here makes room, and once more is tried.
      this.#held.delete(still.sessionId)
      const maxBytes = (await this.#bytesOf(still.sessionId)) / 2
      const tx = begin(this.#db)
      await thin(tx, still.sessionId, { ...this.#limits, maxBytes })
      await tx.done
      await this.#store(still)
    }
  }

  async oldest(sessionId: string, limit: number): Promise<Still[]> {
    const rows = await this.#db.getAllFromIndex('stills', 'session', sessionId, limit)
    return rows.map(({ seq: _seq, keptAt: _keptAt, ...still }) => still)
  }

  async settle(still: Still, outcome: 'sent' | 'refused'): Promise<void> {
    const tx = begin(this.#db)
    const key = await tx.objectStore('stills').index('clientId').getKey(still.clientId)
    // Thinned, or settled by an attempt whose answer came late: it was counted then.
    if (key !== undefined) {
      await tx.objectStore('stills').delete(key)
      await count(tx, still.sessionId, { [outcome]: 1 })
    }
    await tx.done
    const bytes = this.#held.get(still.sessionId)
    if (key !== undefined && bytes !== undefined) this.#held.set(still.sessionId, bytes - still.bytes.byteLength)
  }

  async progress(sessionId: string): Promise<Progress> {
    const tx = this.#db.transaction(stores)
    const waiting = await tx.objectStore('stills').index('session').count(sessionId)
    const { sent, thinned, refused } = (await tx.objectStore('tallies').get(sessionId)) ?? noTally
    return { waiting, sent, thinned, refused }
  }

  async purge(sessionId: string): Promise<number> {
    const tx = begin(this.#db)
    const stills = tx.objectStore('stills')
    const keys = await stills.index('session').getAllKeys(sessionId)
    for (const key of keys) await stills.delete(key)
    await tx.objectStore('tallies').delete(sessionId)
    await tx.done
    this.#held.delete(sessionId)
    return keys.length
  }

  close(): void {
    this.#db.close()
  }

  async #bytesOf(sessionId: string): Promise<number> {
    const known = this.#held.get(sessionId)
    if (known !== undefined) return known
    const rows = await this.#db.getAllFromIndex('stills', 'session', sessionId)
    return rows.reduce((sum, row) => sum + row.bytes.byteLength, 0)
  }

  async #store(still: Still): Promise<void> {
    const { sessionId } = still
    const bytes = (await this.#bytesOf(sessionId)) + still.bytes.byteLength
    const tx = begin(this.#db)
    const stills = tx.objectStore('stills')
    const known = await stills.index('clientId').getKey(still.clientId)
    if (known === undefined) await stills.add({ ...still, keptAt: this.#now() })
    const { maxBytes, maxStills } = this.#limits
    const full = bytes > maxBytes || (await stills.index('session').count(sessionId)) > maxStills
    if (full) await thin(tx, sessionId, this.#limits)
    await tx.done
    if (full || known !== undefined) this.#held.delete(sessionId)
    else this.#held.set(sessionId, bytes)
  }
}

/** Opens the queue of this browser. Throws when the browser keeps nothing for this page. */
export const openStillsQueue = async (
  name = 'room',
  limits: QueueLimits = defaultLimits,
  now: () => number = Date.now,
): Promise<StillsQueue> => {
  const db = await openDB<Schema>(name, 1, {
    upgrade(fresh) {
      const stills = fresh.createObjectStore('stills', { keyPath: 'seq', autoIncrement: true })
      stills.createIndex('session', 'sessionId')
      stills.createIndex('clientId', 'clientId', { unique: true })
      fresh.createObjectStore('tallies', { keyPath: 'sessionId' })
    },
  })
  await forgetAbandoned(db, now() - abandonedMs)
  return new IndexedQueue(db, limits, now)
}

/** Pictures of a room whose link nobody has opened here for a day: they can no longer be sent and may not stay. */
const forgetAbandoned = async (db: IDBPDatabase<Schema>, before: number): Promise<void> => {
  const tx = begin(db)
  for await (const cursor of tx.objectStore('stills')) {
    if (cursor.value.keptAt >= before) break
    await cursor.delete()
  }
  await tx.done
}
