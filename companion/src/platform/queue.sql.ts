import {
  type Film,
  type Memory,
  type QueueCounts,
  type QueuedItem,
  type QueueLane,
  type QueuePort,
  StorageFull,
} from '../session/queue.port.ts'

export type SqlValue = string | number | null | Uint8Array

/** What the queue needs of a SQLite database, whoever runs it. */
export interface SqlDatabase {
  run(sql: string, values: readonly SqlValue[]): Promise<void>
  all<Row>(sql: string, values: readonly SqlValue[]): Promise<Row[]>
  /** All or nothing; on the disk when it resolves. One at a time. */
  transaction(work: () => Promise<void>): Promise<void>
  /** Did this error say that the disk is full (SQLITE_FULL)? */
  isFull(error: unknown): boolean
}

/** Space for clips that wait; beyond it the oldest are left out, and counted. Bytes. */
const mostClipBytes = 512 * 1024 * 1024

const tables = [
  `CREATE TABLE IF NOT EXISTS items (seq INTEGER PRIMARY KEY AUTOINCREMENT, client_id TEXT NOT NULL UNIQUE,
    lane TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, bytes BLOB)`,
  'CREATE INDEX IF NOT EXISTS items_lane ON items (lane, seq)',
  'CREATE TABLE IF NOT EXISTS films (film_id TEXT PRIMARY KEY, body TEXT NOT NULL, duration_ms INTEGER NOT NULL)',
  'CREATE TABLE IF NOT EXISTS chunks (seq INTEGER PRIMARY KEY AUTOINCREMENT, film_id TEXT NOT NULL, bytes BLOB NOT NULL)',
  'CREATE TABLE IF NOT EXISTS kept (name TEXT PRIMARY KEY, body TEXT NOT NULL)',
]

interface Row {
  readonly body: string
  readonly bytes: Uint8Array | null
}

const bufferOf = (bytes: Uint8Array | null): ArrayBuffer => Uint8Array.from(bytes ?? []).buffer

/** The bytes of an item are beside the rest of it. */
const split = (item: QueuedItem): { body: object; bytes: ArrayBuffer | undefined } => {
  if (item.kind === 'beat') return { body: item, bytes: undefined }
  if (item.kind === 'clip') return { body: { ...item, bytes: undefined }, bytes: item.bytes }
  return { body: { ...item, photo: { ...item.photo, bytes: undefined } }, bytes: item.photo.bytes }
}
const join = ({ body, bytes }: Row): QueuedItem => {
  const item = JSON.parse(body) as QueuedItem
  if (item.kind === 'beat') return item
  if (item.kind === 'clip') return { ...item, bytes: bufferOf(bytes) }
  return { ...item, photo: { ...item.photo, bytes: bufferOf(bytes) } }
}

const joined = (pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.byteLength
  }
  return whole
}

class SqlQueue implements QueuePort {
  readonly #db: SqlDatabase
  readonly #limit: number

  constructor(db: SqlDatabase, limit: number) {
    this.#db = db
    this.#limit = limit
  }

  async put(item: QueuedItem): Promise<void> {
    await this.#write(() => this.#add(item))
  }

  async oldest(lane: QueueLane, limit: number): Promise<QueuedItem[]> {
    const sql = 'SELECT body, bytes FROM items WHERE lane = ? ORDER BY seq LIMIT ?'
    return (await this.#db.all<Row>(sql, [lane, limit])).map(join)
  }

  async settle(items: readonly QueuedItem[]): Promise<void> {
    await this.#write(async () => {
      for (const { clientId } of items) await this.#db.run('DELETE FROM items WHERE client_id = ?', [clientId])
    })
  }

  async counts(): Promise<QueueCounts> {
    const rows = await this.#db.all<{ lane: QueueLane; n: number }>(
      'SELECT lane, count(*) AS n FROM items GROUP BY lane',
      [],
    )
    const of = (lane: QueueLane) => rows.find((row) => row.lane === lane)?.n ?? 0
    return { beats: of('beats'), files: of('files'), dropped: (await this.#kept<number>('dropped')) ?? 0 }
  }

  async beginFilm(film: Film): Promise<void> {
    await this.#write(() =>
      this.#db.run('INSERT INTO films (film_id, body, duration_ms) VALUES (?, ?, 0)', [
        film.clientId,
        JSON.stringify(film),
      ]),
    )
  }

  async addSmall(filmId: string, small: string): Promise<void> {
    await this.#write(async () => {
      const [film] = await this.#db.all<{ body: string }>('SELECT body FROM films WHERE film_id = ?', [filmId])
      if (!film) return
      const body = JSON.stringify({ ...(JSON.parse(film.body) as Film), small })
      await this.#db.run('UPDATE films SET body = ? WHERE film_id = ?', [body, filmId])
    })
  }

  async addChunk(filmId: string, bytes: ArrayBuffer, durationMs: number): Promise<void> {
    await this.#write(async () => {
      // Of a film whose clip was made already nothing matches: a chunk that comes after it has no place.
      const insert = 'INSERT INTO chunks (film_id, bytes) SELECT film_id, ? FROM films WHERE film_id = ?'
      await this.#db.run(insert, [new Uint8Array(bytes), filmId])
      await this.#db.run('UPDATE films SET duration_ms = ? WHERE film_id = ?', [Math.round(durationMs), filmId])
    })
  }

  async endFilm(filmId: string): Promise<void> {
    await this.#write(async () => {
      const select = 'SELECT body, duration_ms AS "durationMs" FROM films WHERE film_id = ?'
      const [film] = await this.#db.all<{ body: string; durationMs: number }>(select, [filmId])
      const chunks = await this.#db.all<{ bytes: Uint8Array }>(
        'SELECT bytes FROM chunks WHERE film_id = ? ORDER BY seq',
        [filmId],
      )
      await this.#db.run('DELETE FROM chunks WHERE film_id = ?', [filmId])
      await this.#db.run('DELETE FROM films WHERE film_id = ?', [filmId])
      const bytes = joined(chunks.map((chunk) => chunk.bytes)).buffer
      if (!film || bytes.byteLength === 0) return
      const clip = { kind: 'clip', durationMs: Math.max(1, film.durationMs), bytes } as const
      await this.#add({ ...(JSON.parse(film.body) as Film), ...clip })
      await this.#makeRoom(this.#limit)
    })
  }

  async recover(): Promise<void> {
    const films = await this.#db.all<{ filmId: string }>('SELECT film_id AS "filmId" FROM films', [])
    for (const { filmId } of films) await this.endFilm(filmId)
  }

  async recall(): Promise<Memory> {
    return (await this.#kept<Memory>('memory')) ?? {}
  }

  async remember(memory: Memory): Promise<void> {
    await this.#write(() => this.#keep('memory', memory))
  }

  async clear(): Promise<void> {
    await this.#db.transaction(async () => {
      for (const table of ['items', 'films', 'chunks', 'kept']) await this.#db.run(`DELETE FROM ${table}`, [])
    })
  }

  async #add(item: QueuedItem): Promise<void> {
    const { body, bytes } = split(item)
    const lane: QueueLane = item.kind === 'beat' ? 'beats' : 'files'
    await this.#db.run('INSERT OR IGNORE INTO items (client_id, lane, kind, body, bytes) VALUES (?, ?, ?, ?, ?)', [
      item.clientId,
      lane,
      item.kind,
      JSON.stringify(body),
      bytes ? new Uint8Array(bytes) : null,
    ])
  }

  /** Leaves the oldest clips out until the rest fits, but never the newest. */
  async #makeRoom(limit: number): Promise<void> {
    const clips = await this.#db.all<{ seq: number; size: number }>(
      `SELECT seq, length(bytes) AS size FROM items WHERE kind = 'clip' ORDER BY seq`,
      [],
    )
    let bytes = clips.reduce((sum, { size }) => sum + size, 0)
    let dropped = 0
    for (const { seq, size } of clips.slice(0, -1)) {
      if (bytes <= limit) break
      bytes -= size
      dropped += 1
      await this.#db.run('DELETE FROM items WHERE seq = ?', [seq])
    }
    if (dropped > 0) await this.#keep('dropped', ((await this.#kept<number>('dropped')) ?? 0) + dropped)
  }

  async #kept<T>(name: string): Promise<T | undefined> {
    const [row] = await this.#db.all<{ body: string }>('SELECT body FROM kept WHERE name = ?', [name])
    return row && (JSON.parse(row.body) as T)
  }

  async #keep(name: string, value: unknown): Promise<void> {
    await this.#db.run('INSERT OR REPLACE INTO kept (name, body) VALUES (?, ?)', [name, JSON.stringify(value)])
  }

  /** A write that finds no room makes some and tries once more. */
  async #write(work: () => Promise<void>): Promise<void> {
    try {
      await this.#db.transaction(work)
    } catch (error) {
      if (!this.#db.isFull(error)) throw error
      await this.#db.transaction(() => this.#makeRoom(0))
      await this.#db.transaction(work).catch((again: unknown) => {
        throw this.#db.isFull(again) ? new StorageFull('no room', { cause: again }) : again
      })
    }
  }
}

/** The durable queue in SQLite. */
export const openSqlQueue = async (db: SqlDatabase, limit = mostClipBytes): Promise<QueuePort> => {
  for (const table of tables) await db.run(table, [])
  return new SqlQueue(db, limit)
}
