import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { privateFile } from '../../shared/durable-file.ts'
import { seal, unseal } from './seal.ts'
import { SpoolInUse } from './types.ts'

export type Db = Database.Database

const firstSchema = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE items (
  pos INTEGER PRIMARY KEY AUTOINCREMENT,
  client_id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  lane TEXT NOT NULL,
  display_id TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  captured_at INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  file_bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'queued',
  attempts INTEGER NOT NULL DEFAULT 0,
  not_before INTEGER NOT NULL DEFAULT 0,
  upload_id TEXT,
  reason TEXT
);
CREATE INDEX items_queue ON items (state, pos);
CREATE TABLE events (
  pos INTEGER PRIMARY KEY AUTOINCREMENT,
  client_id TEXT NOT NULL UNIQUE,
  body BLOB NOT NULL,
  state TEXT NOT NULL DEFAULT 'queued',
  attempts INTEGER NOT NULL DEFAULT 0,
  not_before INTEGER NOT NULL DEFAULT 0,
  reason TEXT
);
CREATE INDEX events_queue ON events (state, pos);
CREATE TABLE lanes (lane TEXT PRIMARY KEY, next_sequence INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE samples (
  lane TEXT NOT NULL, display_id TEXT NOT NULL, last_at INTEGER NOT NULL, PRIMARY KEY (lane, display_id)
) WITHOUT ROWID;
`
const segmentsSchema = `
CREATE TABLE segments (
  pos INTEGER PRIMARY KEY AUTOINCREMENT,
  segment_id TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL DEFAULT 0,
  body BLOB NOT NULL,
  state TEXT NOT NULL DEFAULT 'queued',
  attempts INTEGER NOT NULL DEFAULT 0,
  not_before INTEGER NOT NULL DEFAULT 0,
  reason TEXT
);
CREATE INDEX segments_queue ON segments (state, pos);
`
/** Where the newest row of pieces without a hole began; null where samples show what was observed. */
const samplesFromSchema = 'ALTER TABLE samples ADD COLUMN from_at INTEGER'
/** Each brings an index one version further, and keeps what is in it. */
const migrations = [firstSchema, segmentsSchema, samplesFromSchema]

const keyCheck = Buffer.from('integrity-agent spool key')

/** Why an index cannot be used any more; it is then set aside and a new one begun. */
class Unusable extends Error {
  override readonly name = 'Unusable'
}

/** In exclusive mode the lock is taken by the first statement and dies with the process. */
const configure = (db: Db): void => {
  db.pragma('locking_mode = EXCLUSIVE')
  db.pragma('journal_mode = WAL')
  // WAL alone runs at NORMAL and loses acknowledged commits in a power cut.
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
}

const migrate = (db: Db, key: Buffer): void => {
  const version = Number(db.pragma('user_version', { simple: true }))
  if (version > migrations.length) throw new Unusable(`schema version ${version} is not known`)
  if (version === migrations.length) return
  db.transaction(() => {
    for (const schema of migrations.slice(version)) db.exec(schema)
    db.pragma(`user_version = ${migrations.length}`)
    if (version > 0) return
    db.prepare('INSERT INTO meta (key, value) VALUES (?, ?)').run('key_check', seal(key, 'key_check', keyCheck))
  }).immediate()
}

const check = (db: Db, key: Buffer): void => {
  const findings = db.pragma('quick_check', { simple: true })
  if (findings !== 'ok') throw new Unusable(`quick_check: ${String(findings)}`)
  const row = db.prepare<[string], { value: Buffer }>('SELECT value FROM meta WHERE key = ?').get('key_check')
  try {
    unseal(key, 'key_check', row?.value ?? Buffer.alloc(0))
  } catch {
    throw new Unusable('written with another key')
  }
}

const openOnce = async (path: string, key: Buffer): Promise<Db> => {
  // SQLite gives the files beside it the mode of this one.
  await privateFile(path)
  const db = new Database(path, { timeout: 0 })
  try {
    configure(db)
    // Takes the lock for good before anything is read or cleaned up.
    db.exec('BEGIN IMMEDIATE; COMMIT')
    migrate(db, key)
    check(db, key)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

const busyCodes = new Set(['SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_BUSY_RECOVERY', 'SQLITE_BUSY_SNAPSHOT'])
const brokenCodes = /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ|FORMAT)/

const whyUnusable = (error: unknown): string | undefined => {
  if (error instanceof Unusable) return error.message
  if (error instanceof Database.SqliteError && brokenCodes.test(error.code)) return `${error.code}: ${error.message}`
  return undefined
}

const setAside = async (path: string, now: number): Promise<string> => {
  const aside = `${path}.set-aside-${now}`
  for (const part of ['', '-wal', '-shm']) {
    try {
      await rename(`${path}${part}`, `${aside}${part}`)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return aside
}

export interface OpenedDatabase {
  readonly db: Db
  /** Set when the one that was there could not be used. */
  readonly setAside: { readonly path: string; readonly reason: string } | undefined
}

/**
 * Opens the index in `dir`. A damaged one, or one of another key, is renamed (never deleted) and a new one begun.
 * Throws `SpoolInUse` when another process holds it.
 */
export const openDatabase = async (dir: string, key: Buffer, now: number): Promise<OpenedDatabase> => {
  const path = join(dir, 'spool.db')
  try {
    return { db: await openOnce(path, key), setAside: undefined }
  } catch (error) {
    if (error instanceof Database.SqliteError && busyCodes.has(error.code)) {
      throw new SpoolInUse(`another agent is using ${dir}`)
    }
    const reason = whyUnusable(error)
    if (reason === undefined) throw error
    const aside = await setAside(path, now)
    return { db: await openOnce(path, key), setAside: { path: aside, reason } }
  }
}
